// A project's list of 1,000 monitors, as the dashboard asks for it, beside the same bytes from a bare node:http.
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './child.ts';
import { count, ms, quantile, type RunBench, times } from './figure.ts';
import { startOutside } from './outside.ts';
import { cpuByPart } from './processes.ts';
import { sendRequests } from './requests.ts';
import { startSubject } from './subject.ts';

const MONITORS = 1_000;
const IN_FLIGHT = 4;
const INTERVAL_SECONDS = 20;

export const list: RunBench = async (context) => {
  const seconds = context.quick ? 2 : 10;
  const subject = await startSubject(context, { RATE_LIMITS: 'off' });
  const outside = await startOutside(context);
  // Once a day, and disabled: nothing else happens meanwhile.
  const monitors = await subject.addMonitors(MONITORS, (i) => ({
    config: { url: `${outside.url}/${i}` },
    enabled: false,
    interval_seconds: 86_400,
  }));
  const path = `/projects/${subject.projectId}/monitors?limit=${MONITORS}`;
  const shown = await subject.admin.ok<unknown[]>('GET', path);
  if (shown.length !== MONITORS) throw new Error(`the list has ${shown.length} monitors`);

  const headers = { cookie: subject.admin.cookie() };
  const askFor = (path: string, inFlight: number, forSeconds: number) =>
    sendRequests(context, {
      url: subject.url,
      requests: [{ method: 'GET', path, headers }],
      inFlight,
      seconds: forSeconds,
      status: 200,
    });
  const ask = (limit: number, inFlight: number, forSeconds: number) =>
    askFor(`/projects/${subject.projectId}/monitors?limit=${limit}`, inFlight, forSeconds);
  context.say('warming up');
  await ask(MONITORS, IN_FLIGHT, context.quick ? 1 : 3);
  context.say(`asking for ${seconds} s`);
  const measured = async <T>(act: () => Promise<T>) => {
    const before = cpuByPart(subject.processes());
    const done = await act();
    const after = cpuByPart(subject.processes());
    return { done, server: after.server - before.server, database: after.database - before.database };
  };
  const quiet = await measured(() => ask(MONITORS, IN_FLIGHT, seconds));
  const whole = quiet.done;
  const single = await measured(() => askFor(`/monitors/${monitors[0]!.id}`, IN_FLIGHT, seconds));
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

  context.say(`checking them every ${INTERVAL_SECONDS} s`);
  await subject.enable(monitors, INTERVAL_SECONDS);
  await sleep((INTERVAL_SECONDS + 5) * 1000);
  const checking = await measured(() => sleep(seconds * 1000));
  const checked = await measured(() => ask(MONITORS, 1, seconds));
  // The cost of the checks themselves is not the list's.
  const share = checked.done.seconds / seconds;
  const ofChecked = {
    server: checked.server - checking.server * share,
    database: checked.database - checking.database * share,
  };

  const each = (cpu: { server: number; database: number }, answered: number) =>
    `${ms((cpu.server / answered) * 1000)}, ${ms((cpu.database / answered) * 1000)}`;
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
        tocsin: each(quiet, whole.answered),
      },
      {
        figure: `the same, of monitors that are checked every ${INTERVAL_SECONDS} s`,
        tocsin: each(ofChecked, checked.done.answered),
      },
      { figure: 'CPU a monitor (GET /monitors/{monitor_id})', tocsin: each(single, single.done.answered) },
      { figure: 'Lists of 100 (the default page) a second', tocsin: count(perSecond(hundred)) },
    ],
    notes: [
      `${(whole.bytes / whole.answered / 1024).toFixed(0)} KiB of JSON a list of ${count(MONITORS)}, uncompressed, session and role looked up for each.`,
      'Beside it: a bare node:http that sends the same bytes from memory, asked by the same client.',
    ],
  };
};
