// A project's list of 1,000 monitors, as the dashboard asks for it, beside the same bytes from a bare node:http.
import { startChild } from './child.ts';
import { count, ms, quantile, type RunBench, times } from './figure.ts';
import { cpuByPart } from './processes.ts';
import { sendRequests } from './requests.ts';
import { startSubject } from './subject.ts';

const MONITORS = 1_000;
const IN_FLIGHT = 4;

export const list: RunBench = async (context) => {
  const seconds = context.quick ? 2 : 10;
  const subject = await startSubject(context, { RATE_LIMITS: 'off' });
  // Once a day, and switched off: nothing else happens meanwhile.
  await subject.addMonitors(MONITORS, (i) => ({
    config: { url: `http://127.0.0.1:9/${i}` },
    enabled: false,
    interval_seconds: 86_400,
  }));
  const path = `/projects/${subject.projectId}/monitors?limit=${MONITORS}`;
  const shown = await subject.admin.ok<unknown[]>('GET', path);
  if (shown.length !== MONITORS) throw new Error(`the list has ${shown.length} monitors`);

  const headers = { cookie: subject.admin.cookie() };
  const ask = (limit: number, inFlight: number, forSeconds: number) =>
    sendRequests(context, {
      url: subject.url,
      requests: [{ method: 'GET', path: `/projects/${subject.projectId}/monitors?limit=${limit}`, headers }],
      inFlight,
      seconds: forSeconds,
      status: 200,
    });
  context.say('warming up');
  await ask(MONITORS, IN_FLIGHT, context.quick ? 1 : 3);
  context.say(`asking for ${seconds} s`);
  const before = cpuByPart(subject.processes());
  const whole = await ask(MONITORS, IN_FLIGHT, seconds);
  const after = cpuByPart(subject.processes());
  const one = await ask(MONITORS, 1, seconds);
  const hundred = await ask(100, IN_FLIGHT, seconds);

  context.say('the same bytes from a bare node:http');
  const bare = startChild(context, 'bare-bytes-process.ts');
  const { url } = await bare.next<{ url: string }>('ready');
  const listening = bare.next('holds');
  bare.send({ body: JSON.stringify(shown) });
  await listening;
  const beside = await sendRequests(context, {
    url,
    requests: [{ method: 'GET', path: '/', headers }],
    inFlight: IN_FLIGHT,
    seconds,
    status: 200,
  });

  const perSecond = ({ answered, seconds: took }: { answered: number; seconds: number }) => answered / took;
  return {
    rows: [
      {
        figure: `Lists of ${count(MONITORS)} monitors a second, ${IN_FLIGHT} in flight`,
        tocsin: count(perSecond(whole)),
        beside: `${count(perSecond(beside))} the bytes alone`,
        ratio: times(perSecond(whole), perSecond(beside)),
      },
      {
        figure: 'one at a time: median, p99',
        tocsin: `${ms(quantile(one.tookMs, 0.5))}, ${ms(quantile(one.tookMs, 0.99))}`,
      },
      {
        figure: 'CPU a list, server, database',
        tocsin: `${ms(((after.server - before.server) / whole.answered) * 1000)}, ${ms(((after.database - before.database) / whole.answered) * 1000)}`,
      },
      { figure: 'Lists of 100 (the default page) a second', tocsin: count(perSecond(hundred)) },
    ],
    notes: [
      `${(whole.bytes / whole.answered / 1024).toFixed(0)} KiB of JSON a list of ${count(MONITORS)}, uncompressed, session and role looked up for each.`,
      'Beside it: a bare node:http that sends the same bytes from memory, asked by the same client.',
    ],
  };
};
