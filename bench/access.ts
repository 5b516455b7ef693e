// The cost of identifying and authorizing a request: the same route of the same code in one process, once behind the real
// authorizer (session, key), once behind one that checks nothing.
import { startChild } from './child.ts';
import { count, ms, quantile, type RunBench, times } from './figure.ts';
import { cpuSeconds } from './processes.ts';
import { type RequestsDone, sendRequests } from './requests.ts';
import { startSubject } from './subject.ts';

export type TwoGates = { databaseUrl: string; secretKey: string };
export type FromTwoGates = { kind: 'ready' } | { kind: 'serving'; gatedUrl: string; openUrl: string };

const IN_FLIGHT = 8;

type Measured = { one: RequestsDone; many: RequestsDone; cpuMs: number };

export const access: RunBench = async (context) => {
  const seconds = context.quick ? 2 : 10;
  const subject = await startSubject(context, { RATE_LIMITS: 'off' });
  const [monitor] = await subject.addMonitors(1, () => ({
    config: { url: 'http://127.0.0.1:9/' },
    enabled: false,
    interval_seconds: 86_400,
  }));
  const path = `/organizations/${subject.orgId}/api-keys`;
  const { key } = await subject.admin.ok<{ key: string }>('POST', path, {
    name: 'Bench',
    scopes: ['monitors:read'],
  });

  const child = startChild(context, 'two-gates-process.ts');
  await child.next('ready');
  const serving = child.next<Extract<FromTwoGates, { kind: 'serving' }>>('serving');
  child.send({
    databaseUrl: subject.databaseUrl,
    secretKey: subject.secretKey,
  } satisfies TwoGates);
  const { gatedUrl, openUrl } = await serving;

  const measure = async (what: string, url: string, headers: Record<string, string>): Promise<Measured> => {
    context.say(`${what}: ${2 * seconds} s`);
    const order = {
      url,
      requests: [{ method: 'GET', path: `/monitors/${monitor!.id}`, headers }],
      status: 200,
    };
    await sendRequests(context, { ...order, inFlight: IN_FLIGHT, seconds: 1 });
    const one = await sendRequests(context, { ...order, inFlight: 1, seconds });
    const before = cpuSeconds([child.pid]);
    const many = await sendRequests(context, { ...order, inFlight: IN_FLIGHT, seconds });
    return { one, many, cpuMs: ((cpuSeconds([child.pid]) - before) / many.answered) * 1000 };
  };
  const open = await measure('without a gate', openUrl, {});
  const session = await measure('session', gatedUrl, { cookie: subject.admin.cookie() });
  const byKey = await measure('key', gatedUrl, { authorization: `Bearer ${key}` });

  const perSecond = ({ many }: Measured) => many.answered / many.seconds;
  const median = ({ one }: Measured) => quantile(one.tookMs, 0.5);
  const rows = (name: string, measured: Measured) => [
    {
      figure: `${name}: requests a second, ${IN_FLIGHT} in flight`,
      tocsin: count(perSecond(measured)),
      beside: `${count(perSecond(open))} without`,
      ratio: times(perSecond(measured), perSecond(open)),
    },
    {
      figure: `${name}: CPU of the server a request`,
      tocsin: `${measured.cpuMs.toFixed(3)} ms`,
      beside: `${open.cpuMs.toFixed(3)} ms without`,
      ratio: times(measured.cpuMs, open.cpuMs),
    },
    {
      figure: `${name}: one at a time, median, p99`,
      tocsin: `${ms(median(measured))}, ${ms(quantile(measured.one.tookMs, 0.99))}`,
      beside: `${ms(median(open))}, ${ms(quantile(open.one.tookMs, 0.99))} without`,
      ratio: times(median(measured), median(open)),
    },
  ];
  return {
    rows: [...rows('Session', session), ...rows('Key', byKey)],
    notes: [
      'GET /monitors/{monitor_id}, served by the slices’ own code in one process; the gate is the only difference.',
      'With it, each request finds the credential, the monitor’s organization and the role (session) or scope and narrowing (key) in the database: nothing is cached, so what is revoked is void at once.',
    ],
  };
};
