// The cost of a check, and how many fit on a core.
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './child.ts';
import { climb, heldText, MIN_SHARE, SLIPPED_MS, stepsText } from './climb.ts';
import { type Context, count, type Row, type RunBench, times } from './figure.ts';
import { coverageOf } from './lateness.ts';
import { type Outside, startOutside } from './outside.ts';
import { canPin, cpuByPart, PARTS, type Part, pin } from './processes.ts';
import { type Made, type Subject, startSubject } from './subject.ts';

export type BareChecksOrder = {
  how: 'node:http' | 'raw sockets';
  url: string;
  checks: number;
  atOnce: number;
};
export type BareChecksDone = { kind: 'done'; cpuSeconds: number; seconds: number };

const BARE_AT_ONCE = 16;
const WARM_UP_MS = 5_000;

export const checks: RunBench = async (context) => {
  const { quick } = context;
  const step = quick ? 300 : 600;
  const rate = quick ? 300 : 1_000;
  const outside = await startOutside(context);
  const subject = await startSubject(context);
  const monitors = await subject.addMonitors(quick ? 600 : 5_200, (i) => ({
    config: { url: `${outside.url}/${i}` },
    interval_seconds: 1,
    enabled: false,
  }));

  const cost = await costOf(context, subject, monitors.slice(0, rate), quick ? 3 : 15);
  const overHttp = await bare(context, outside, 'node:http');
  const overSockets = await bare(context, outside, 'raw sockets');
  const cores = availableParallelism();
  const mayPin = cores > 1 && (await canPin());
  if (mayPin) await apart(subject, outside);
  const oneCore = mayPin ? await climb(context, subject, outside, monitors, rate, step) : null;
  if (mayPin) await together(subject, outside, cores);
  // Monitors that one core could not check are still enabled: the rounds with all cores begin with them.
  const allCores = await climb(
    context,
    subject,
    outside,
    monitors,
    oneCore?.steps.at(-1)?.perSecond ?? rate,
    step,
  );

  const own = perThousand(cost.total, cost.checks);
  const rows: Row[] = [
    {
      figure: `CPU seconds per 1,000 checks, at ${count(rate)} a second`,
      tocsin: own.toFixed(2),
      beside: `${overHttp.cpuPerThousand.toFixed(2)} bare node:http`,
      ratio: times(own, overHttp.cpuPerThousand),
    },
    {
      figure: 'the same beside raw sockets',
      tocsin: own.toFixed(2),
      beside: `${overSockets.cpuPerThousand.toFixed(2)} bare sockets`,
      ratio: times(own, overSockets.cpuPerThousand),
    },
    ...PARTS.map((part) => ({
      figure: `of it, ${part}`,
      tocsin: perThousand(cost.byPart[part], cost.checks).toFixed(3),
    })),
  ];
  if (oneCore)
    rows.push({
      figure: 'Checks a second on one core before the schedule slips',
      tocsin: heldText(oneCore),
      beside: `${count(1000 / overHttp.cpuPerThousand)} bare node:http`,
      ratio: times(oneCore.held, 1000 / overHttp.cpuPerThousand),
    });
  rows.push({
    figure: `Checks a second on ${cores} cores shared with the target`,
    tocsin: heldText(allCores),
    beside: `${count(overHttp.perSecond)} bare node:http`,
    ratio: times(allCores.held, overHttp.perSecond),
  });
  return {
    rows,
    notes: [
      `HTTP GET over a fresh connection, every second from each monitor. CPU is user and system time of all processes of the part, from /proc, over rows found in the database; ${WARM_UP_MS / 1000} s of warm-up before.`,
      `The schedule has slipped when the 99th percentile of lateness, as the target sees it, is over ${SLIPPED_MS} ms or less than ${MIN_SHARE * 100} % of the due checks are stored.`,
      `The bare loops store nothing, schedule nothing and keep ${BARE_AT_ONCE} requests going. The watched server is a process of its own, on the same machine, and is not counted.`,
      ...(oneCore
        ? [`One core (server, probe and database together; the target on another): ${stepsText(oneCore)}.`]
        : []),
      `${cores} cores: ${stepsText(allCores)}.`,
    ],
  };
};

const perThousand = (cpuSeconds: number, checkCount: number) => (cpuSeconds / checkCount) * 1000;

type Cost = { checks: number; total: number; byPart: Record<Part, number> };

async function costOf(context: Context, subject: Subject, monitors: Made[], seconds: number): Promise<Cost> {
  context.say(`${monitors.length} checks a second for ${seconds} s`);
  await subject.enable(monitors, 1);
  await sleep(WARM_UP_MS);
  const before = cpuByPart(subject.processes());
  const fromMs = Date.now();
  await sleep(seconds * 1000);
  const after = cpuByPart(subject.processes());
  const toMs = Date.now();
  await sleep(2_000);
  const { stored } = await coverageOf(subject, monitors, 1, fromMs, toMs);
  const byPart = { server: 0, probe: 0, database: 0 };
  for (const part of PARTS) byPart[part] = after[part] - before[part];
  return { checks: stored, total: byPart.server + byPart.probe + byPart.database, byPart };
}

/** The installation's processes on the first core, the target on the last. */
async function apart(subject: Subject, outside: Outside): Promise<void> {
  await pin(Object.values(subject.processes()).flat(), '0');
  await pin([outside.child.pid], String(availableParallelism() - 1));
}

async function together(subject: Subject, outside: Outside, cores: number): Promise<void> {
  await pin([...Object.values(subject.processes()).flat(), outside.child.pid], `0-${cores - 1}`);
}

async function bare(
  context: Context,
  outside: Outside,
  how: BareChecksOrder['how'],
): Promise<{ cpuPerThousand: number; perSecond: number }> {
  const checkCount = context.quick ? 1_000 : 10_000;
  context.say(`${count(checkCount)} checks by a bare loop over ${how}`);
  const child = startChild(context, 'bare-checks-process.ts');
  const done = child.next<BareChecksDone>('done');
  const order: BareChecksOrder = { how, url: `${outside.url}/0`, checks: checkCount, atOnce: BARE_AT_ONCE };
  child.send(order);
  const { cpuSeconds, seconds } = await done;
  await child.stop();
  return { cpuPerThousand: perThousand(cpuSeconds, checkCount), perSecond: checkCount / seconds };
}
