// How late checks start, whether lateness grows, and the cost of a restart of the probe.
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './child.ts';
import { type Context, count, ms, quantile, type Row, type RunBench, times } from './figure.ts';
import { type Coverage, coverageOf, latenessOf } from './lateness.ts';
import { type Outside, startOutside } from './outside.ts';
import { type Made, type Subject, startSubject } from './subject.ts';

export type BareTimersOrder = { seconds: number; perSecond: number };
export type BareTimersDone = { kind: 'done'; lateMs: number[] };

const SLOW_SECONDS = 20;

export const schedule: RunBench = async (context) => {
  const { quick } = context;
  const howMany = quick ? 200 : 1_000;
  const outside = await startOutside(context);
  const subject = await startSubject(context);
  const monitors = await subject.addMonitors(howMany, (i) => ({
    config: { url: `${outside.url}/${i}` },
    interval_seconds: SLOW_SECONDS,
  }));
  await sleep(3_000);
  const slow = await watch(context, subject, outside, monitors, SLOW_SECONDS, quick ? 4 : 40);
  const restart = quick ? null : await restartProbe(context, subject, outside, SLOW_SECONDS);
  await subject.enable(monitors, 1);
  await sleep(3_000);
  const fast = await watch(context, subject, outside, monitors, 1, quick ? 4 : 20);
  const bare = await bareTimers(context, howMany, quick ? 2 : 10);

  const rows: Row[] = [
    ...rowsOf(`${count(howMany)} monitors at ${SLOW_SECONDS} s`, slow, bare),
    ...rowsOf(`${count(howMany)} monitors at 1 s`, fast, bare),
  ];
  if (restart)
    rows.push({
      figure: `Probe restarted: monitors checked within one interval (${SLOW_SECONDS} s)`,
      tocsin: `${count(restart.checked)} of ${count(howMany)}; away for ${ms(restart.awayMs)}`,
    });
  return {
    rows,
    notes: [
      'Lateness is when the watched server, a process of its own, had the request in hand, minus the moment that the schedule names for the check.',
      'Drift is the median lateness of the last third of the run minus that of the first.',
      `Beside it: a bare setTimeout for each of ${count(howMany)} moments a second, in a process that does nothing else.`,
      ...(restart
        ? [
            'The probe got SIGTERM; its server restarted it. The interval counts from its first check; "away" is the time from the signal to that check.',
          ]
        : []),
    ],
  };
};

type Watched = Coverage & { lateMs: number[]; driftMs: number };

async function watch(
  context: Context,
  subject: Subject,
  outside: Outside,
  monitors: readonly Made[],
  intervalSeconds: number,
  seconds: number,
): Promise<Watched> {
  context.say(`${monitors.length} monitors at ${intervalSeconds} s, for ${seconds} s`);
  outside.record();
  const fromMs = Date.now();
  const toMs = fromMs + seconds * 1000;
  await sleep(seconds * 1000 + 2_000);
  const arrivals = (await outside.report()).filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  const third = (seconds * 1000) / 3;
  const lateBetween = (from: number, to: number) => {
    const some = arrivals.filter(({ atMs }) => atMs >= from && atMs < to);
    return latenessOf(some, monitors, intervalSeconds);
  };
  return {
    ...(await coverageOf(subject, monitors, intervalSeconds, fromMs, toMs)),
    lateMs: lateBetween(fromMs, toMs),
    driftMs:
      quantile(lateBetween(toMs - third, toMs), 0.5) - quantile(lateBetween(fromMs, fromMs + third), 0.5),
  };
}

function rowsOf(what: string, watched: Watched, bare: readonly number[]): Row[] {
  const three = (list: readonly number[]) => [0.5, 0.99, 1].map((q) => ms(quantile(list, q))).join(', ');
  const p99 = quantile(watched.lateMs, 0.99);
  return [
    {
      figure: `${what}: lateness median, p99, max`,
      tocsin: three(watched.lateMs),
      beside: `${three(bare)} bare timers`,
      ratio: times(p99, Math.max(0.1, quantile(bare, 0.99))),
    },
    {
      figure: 'checks stored of those due; drift',
      tocsin: `${count(watched.stored)} of ${count(watched.expected)}; ${ms(watched.driftMs)}`,
    },
  ];
}

/** Ends the probe as an operator would; its server starts it again. */
async function restartProbe(
  context: Context,
  subject: Subject,
  outside: Outside,
  intervalSeconds: number,
): Promise<{ checked: number; awayMs: number }> {
  context.say('restarting the probe');
  const [probe] = subject.processes().probe;
  outside.record();
  const atMs = performance.timeOrigin + performance.now();
  process.kill(probe!, 'SIGTERM');
  await sleep(intervalSeconds * 1000 + 5_000);
  // Checks that the old process still had in progress do not count.
  const fresh = (await outside.report()).filter((arrival) => arrival.atMs > atMs + 50);
  const backAtMs = fresh[0]?.atMs ?? Number.NaN;
  const inTime = fresh.filter((arrival) => arrival.atMs <= backAtMs + intervalSeconds * 1000);
  return { checked: new Set(inTime.map(({ address }) => address)).size, awayMs: backAtMs - atMs };
}

/** The same number of bare timers a second, in a process that does nothing else, and how late they fire. */
export async function bareTimers(context: Context, perSecond: number, seconds: number): Promise<number[]> {
  const child = startChild(context, 'bare-timers-process.ts');
  const done = child.next<BareTimersDone>('done');
  const order: BareTimersOrder = { seconds, perSecond };
  child.send(order);
  const { lateMs } = await done;
  await child.stop();
  return lateMs;
}
