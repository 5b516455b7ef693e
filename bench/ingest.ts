// Results from the real endpoint until they are committed and evaluated, beside the bare INSERT of the same rows; and the
// effect on the API meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { startChild } from './child.ts';
import { type Context, count, ms, quantile, type RunBench, times } from './figure.ts';
import { type LoadDone, postResults } from './load.ts';
import { type Outside, startOutside } from './outside.ts';
import { cpuByPart, PARTS } from './processes.ts';
import { type Made, type Subject, startSubject } from './subject.ts';

export type BareInsertOrder = {
  databaseUrl: string;
  monitorNos: number[];
  batch: number;
  inFlight: number;
  seconds: number;
};
export type BareInsertDone = { kind: 'done'; inserted: number; seconds: number };

const MONITORS = 1_000;
const BATCH = 5_000;
const IN_FLIGHT = 4;
/** The load while monitors are added, in as many posts as many probes would send. */
const BUSY_PER_SECOND = 20_000;
const BUSY_BATCH = 1_000;
/** Adds a monitor this often under load. */
const ADD_EVERY_MS = 250;
/** In the second round every n-th monitor fails in every result, so that its state is read and locked each time. */
const DOWN_EVERY = 100;

export const ingest: RunBench = async (context) => {
  const seconds = context.quick ? 4 : 20;
  const outside = await startOutside(context);
  // One token sends more results than its region's monitors would have: this measures the ingest, not its limit.
  const subject = await startSubject(context, { RATE_LIMITS: 'off' });
  // Once a day: the bundled probe has nothing to do.
  const monitors = await subject.addMonitors(MONITORS, (i) => ({
    config: { url: `${outside.url}/${i}` },
    interval_seconds: 86_400,
  }));
  context.say('warming up');
  await pour(context, subject, monitors, context.quick ? 1 : 5, null);

  const idleMs = await addingMonitors(subject, outside, 'idle', async () =>
    sleep(context.quick ? 2_000 : 8_000),
  );
  context.say(`posting for ${seconds} s, all passing`);
  const before = cpuByPart(subject.processes());
  const passing = await pour(context, subject, monitors, seconds, null);
  const after = cpuByPart(subject.processes());
  context.say(`posting for ${seconds} s more at ${count(BUSY_PER_SECOND)}/s, adding monitors meanwhile`);
  const busyMs = await addingMonitors(subject, outside, 'busy', () =>
    pour(context, subject, monitors, seconds, null, BUSY_PER_SECOND),
  );
  context.say(`posting for ${seconds} s, 1 in ${DOWN_EVERY} monitors failing`);
  const failing = await pour(context, subject, monitors, seconds, DOWN_EVERY);
  context.say(`bare INSERT for ${seconds} s`);
  const bare = await bareInsert(context, subject, monitors, seconds);

  const perSecond = ({ accepted, seconds: took }: LoadDone) => accepted / took;
  const barePerSecond = bare.inserted / bare.seconds;
  const cpu = PARTS.map((part) => ((after[part] - before[part]) / passing.accepted) * 1e6);
  return {
    rows: [
      {
        figure: 'Results a second, committed and evaluated, all passing',
        tocsin: count(perSecond(passing)),
        beside: `${count(barePerSecond)} bare INSERT`,
        ratio: times(perSecond(passing), barePerSecond),
      },
      {
        figure: `the same, 1 in ${DOWN_EVERY} monitors failing`,
        tocsin: count(perSecond(failing)),
        beside: `${count(barePerSecond)} bare INSERT`,
        ratio: times(perSecond(failing), barePerSecond),
      },
      {
        figure: `A post of ${count(BATCH)} results, ${IN_FLIGHT} in flight: median, p99`,
        tocsin: `${ms(quantile(passing.tookMs, 0.5))}, ${ms(quantile(passing.tookMs, 0.99))}`,
      },
      {
        figure: 'CPU microseconds per result: server + database',
        tocsin: `${cpu[0]!.toFixed(0)} + ${cpu[2]!.toFixed(0)}`,
      },
      {
        figure: `Adding a monitor by API at ${count(BUSY_PER_SECOND)} results/s: median`,
        tocsin: ms(quantile(busyMs, 0.5)),
        beside: `${ms(quantile(idleMs, 0.5))} idle`,
        ratio: times(quantile(busyMs, 0.5), quantile(idleMs, 0.5)),
      },
      {
        figure: `Adding a monitor by API at ${count(BUSY_PER_SECOND)} results/s: p99`,
        tocsin: ms(quantile(busyMs, 0.99)),
        beside: `${ms(quantile(idleMs, 0.99))} idle`,
        ratio: times(quantile(busyMs, 0.99), quantile(idleMs, 0.99)),
      },
    ],
    notes: [
      `POST /probe/results over HTTP with ${count(BATCH)} results a post, ${IN_FLIGHT} in flight, from a process of its own; ${count(MONITORS)} monitors in turn, ${seconds} s a round after a warm-up; counted is what the server acknowledged, and the rows in the database were counted against it.`,
      `Adding: one POST of a monitor every ${ADD_EVERY_MS} ms (${busyMs.length} with ${count(BUSY_PER_SECOND)} results a second beside, in posts of ${count(BUSY_BATCH)}; ${idleMs.length} idle).`,
      'The bare INSERT writes the same columns of the same rows in batches of the same size, as many in flight, into a partitioned table with the same columns and key, from a process of its own over the same socket.',
    ],
  };
};

async function pour(
  context: Context,
  subject: Subject,
  monitors: readonly Made[],
  seconds: number,
  downEvery: number | null,
  perSecond: number | null = null,
): Promise<LoadDone> {
  const before = await rowCount(subject);
  const done = await postResults(context, {
    url: subject.url,
    token: subject.probeToken,
    monitorIds: monitors.map(({ id }) => id),
    batch: perSecond === null ? BATCH : BUSY_BATCH,
    inFlight: IN_FLIGHT,
    perSecond,
    seconds,
    downEvery,
  });
  const stored = (await rowCount(subject)) - before;
  // The bundled probe's own first checks may add a few.
  if (stored < done.accepted || stored > done.accepted + 2 * MONITORS)
    throw new Error(`${done.accepted} were acknowledged, ${stored} are stored`);
  return done;
}

async function rowCount({ database }: Subject): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM checks`.execute(database.db);
  return rows[0]?.n ?? 0;
}

/** Adds monitors by API until `meanwhile` is over; returns how long each took, in milliseconds. */
async function addingMonitors(
  subject: Subject,
  outside: Outside,
  prefix: string,
  meanwhile: () => Promise<unknown>,
): Promise<number[]> {
  const tookMs: number[] = [];
  let over = false;
  const adding = (async () => {
    for (let i = 0; !over; i++) {
      const startedAtMs = performance.now();
      await subject.admin.ok('POST', `/projects/${subject.projectId}/monitors`, {
        name: `Added ${prefix} ${i}`,
        type: 'http',
        config: { url: `${outside.url}/0` },
        interval_seconds: 86_400,
      });
      const took = performance.now() - startedAtMs;
      tookMs.push(took);
      await sleep(Math.max(0, ADD_EVERY_MS - took));
    }
  })();
  await meanwhile().finally(() => {
    over = true;
  });
  await adding;
  return tookMs;
}

/** Inserts the same rows into a table like that of checks, in a process of its own. Once per benchmark. */
export async function bareInsert(
  context: Context,
  subject: Subject,
  monitors: readonly Made[],
  seconds: number,
  batch = BATCH,
): Promise<BareInsertDone> {
  const child = startChild(context, 'bare-insert-process.ts');
  const done = child.next<BareInsertDone>('done');
  const order: BareInsertOrder = {
    databaseUrl: subject.databaseUrl,
    monitorNos: monitors.map(({ no }) => no),
    batch,
    inFlight: IN_FLIGHT,
    seconds,
  };
  child.send(order);
  const result = await done;
  await child.stop();
  return result;
}
