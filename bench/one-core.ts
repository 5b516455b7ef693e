// Everything on one core (server, probe and database; the target on another): from the failing request at the target to the
// webhook, and the time of adding a monitor.
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, count, ms, quantile, type Row, type RunBench } from './figure.ts';
import { type Outside, startOutside } from './outside.ts';
import { canPin, cpuByPart, PARTS, pin } from './processes.ts';
import { type Subject, startSubject } from './subject.ts';

const ALARMS = 10;
const INTERVAL_SECONDS = 5;
/** Less than the interval, and more than the extra check after an opened incident takes. */
const CHECKS_APART_MS = 3_000;
const ADDED = 1_000;
const AT_ONCE = 10;

export const oneCore: RunBench = async (context) => {
  const cores = availableParallelism();
  if (cores < 2 || !(await canPin())) throw new Error('this needs two cores and taskset');
  const outside = await startOutside(context);
  const subject = await startSubject(context, { RATE_LIMITS: 'off' });
  await subject.admin.ok('POST', `/organizations/${subject.orgId}/webhooks`, {
    name: 'Receiver',
    kind: 'webhook',
    url: outside.hookUrl,
    events: ['opened', 'resolved'],
  });
  const pinAll = async () => {
    await pin(Object.values(subject.processes()).flat(), '0');
    await pin([outside.child.pid, process.pid], String(cores - 1));
  };
  await pinAll();
  const alarms = await alarmRows(context, subject, outside, pinAll);
  const adding = await addingRows(context, subject, outside);
  return {
    rows: [...alarms, ...adding],
    notes: [
      `${ALARMS} monitors at ${INTERVAL_SECONDS} s fail twice and pass twice in turn, under the default policy; time runs from the end of the answer that decides to the webhook in the receiver's hands, both in one process on another core.`,
      `Adding: POST of a monitor by session, first ${AT_ONCE} at a time, then one at a time.`,
    ],
  };
};

async function alarmRows(
  context: Context,
  subject: Subject,
  outside: Outside,
  pinAll: () => Promise<void>,
): Promise<Row[]> {
  const seconds = context.quick ? 20 : 80;
  const tookMs = { opened: [] as number[], resolved: [] as number[] };
  outside.onDelivery(({ event, atMs, decidedAtMs }) => {
    if (!Number.isNaN(decidedAtMs)) tookMs[event].push(atMs - decidedAtMs);
  });
  await subject.addMonitors(ALARMS, (i) => ({
    config: { url: `${outside.url}/${i}` },
    interval_seconds: INTERVAL_SECONDS,
  }));
  outside.takeTurns(
    Array.from({ length: ALARMS }, (_, address) => address),
    CHECKS_APART_MS,
  );
  context.say('warming up');
  await sleep(context.quick ? 10_000 : 40_000);
  await pinAll();
  tookMs.opened = [];
  tookMs.resolved = [];
  context.say(`alarms, for ${seconds} s`);
  const before = cpuByPart(subject.processes());
  await sleep(seconds * 1000);
  const after = cpuByPart(subject.processes());
  outside.beWell();
  const used = PARTS.map((part) => `${part} ${(((after[part] - before[part]) / seconds) * 100).toFixed(1)}`);
  const two = (list: readonly number[]) =>
    `${ms(quantile(list, 0.5))}, ${ms(quantile(list, 0.99))} (${count(list.length)})`;
  return [
    { figure: 'Failing check to webhook: median, p99 (of)', tocsin: two(tookMs.opened) },
    { figure: 'Recovering check to webhook: median, p99 (of)', tocsin: two(tookMs.resolved) },
    { figure: 'CPU meanwhile, percent of the core', tocsin: used.join(', ') },
  ];
}

async function addingRows(context: Context, subject: Subject, outside: Outside): Promise<Row[]> {
  const howMany = context.quick ? 100 : ADDED;
  context.say(`adding ${howMany} monitors, ${AT_ONCE} at a time`);
  let next = 0;
  const add = async (): Promise<number> => {
    const startedAtMs = performance.now();
    await subject.admin.ok('POST', `/projects/${subject.projectId}/monitors`, {
      name: `Added ${next++}`,
      type: 'http',
      config: { url: `${outside.url}/${ALARMS}` },
      interval_seconds: 86_400,
    });
    return performance.now() - startedAtMs;
  };
  for (let i = 0; i < 20; i++) await add();
  const startedAtMs = performance.now();
  const before = cpuByPart(subject.processes());
  const until = next + howMany;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < until) await add();
    }),
  );
  const eachMs = (performance.now() - startedAtMs) / howMany;
  const after = cpuByPart(subject.processes());
  const cpu = PARTS.map((part) => `${part} ${(((after[part] - before[part]) / howMany) * 1000).toFixed(1)}`);
  const alone: number[] = [];
  for (let i = 0; i < howMany / 5; i++) alone.push(await add());
  return [
    { figure: `Adding ${count(howMany)} monitors, ${AT_ONCE} at a time: each`, tocsin: ms(eachMs) },
    { figure: 'CPU of it, ms each', tocsin: cpu.join(', ') },
    {
      figure: 'Adding a monitor, one at a time: median, p99',
      tocsin: `${ms(quantile(alone, 0.5))}, ${ms(quantile(alone, 0.99))}`,
    },
  ];
}
