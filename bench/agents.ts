// Two thousand host agents on one server: the cost of a heartbeat beside a bare row, the load after a day away, and the effect
// on checks.
import { sql } from 'kysely';
import { startChild } from './child.ts';
import { type Context, count, ms, quantile, type RunBench, times } from './figure.ts';
import { coverageOf, latenessOf } from './lateness.ts';
import { type Outside, startOutside } from './outside.ts';
import { cpuByPart } from './processes.ts';
import { type Made, type Subject, startSubject } from './subject.ts';

export type BeatOrder = {
  mode: 'single' | 'kept' | 'bare';
  url: string;
  databaseUrl: string;
  credentials: string[];
  inFlight: number;
  /** Posts a second; null: at full speed. */
  perSecond: number | null;
  /** The most posts. */
  posts: number;
  /** Heartbeats in a post of buffered ones. */
  kept: number;
  seconds: number;
};
export type BeatDone = { kind: 'done'; heartbeats: number; seconds: number; tookMs: number[] };

const AGENTS = 2_000;
/** Monitors that a probe checks every second meanwhile. */
const CHECKED = 200;
const A_DAY = 1_440;
const KEPT = 480;
const IN_FLIGHT = 8;

export const agents: RunBench = async (context) => {
  const seconds = context.quick ? 3 : 30;
  const howMany = context.quick ? 40 : AGENTS;
  const outside = await startOutside(context);
  const subject = await startSubject(context, { RATE_LIMITS: 'off' });
  const checked = await subject.addMonitors(CHECKED, (i) => ({
    config: { url: `${outside.url}/${i}` },
    interval_seconds: 1,
  }));
  const { ids, credentials } = await enrol(context, subject, howMany);
  await subject.addMonitors(howMany, (i) => ({
    type: 'agent',
    config: { agent_id: ids[i], metric: 'online' },
  }));
  const cpu = { metric: 'cpu_pct', op: 'gt', threshold: 90 };
  await subject.addMonitors(howMany, (i) => ({ type: 'agent', config: { agent_id: ids[i], ...cpu } }));
  await sql`CREATE TABLE bench_bare_readings (LIKE agent_readings INCLUDING ALL)`.execute(
    subject.database.db,
  );
  await sql`ALTER TABLE bench_bare_readings DROP CONSTRAINT bench_bare_readings_pkey`.execute(
    subject.database.db,
  );

  const child = startChild(context, 'heartbeats-process.ts');
  await child.next('ready');
  const beat = async (order: Partial<BeatOrder>): Promise<BeatDone> => {
    const whole: BeatOrder = {
      ...{ mode: 'single', url: subject.url, databaseUrl: subject.databaseUrl, credentials },
      ...{ inFlight: IN_FLIGHT, perSecond: null, posts: Number.MAX_SAFE_INTEGER, kept: KEPT, seconds },
      ...order,
    };
    const done = child.next<BeatDone>('done');
    child.send(whole);
    return done;
  };
  context.say('warming up');
  await beat({ posts: howMany });

  context.say(`${count(howMany)} agents, a heartbeat a minute each`);
  const idle = await measured(
    subject,
    outside,
    checked,
    () => new Promise<null>((done) => setTimeout(() => done(null), seconds * 1000)),
  );
  const steady = await measured(subject, outside, checked, () => beat({ perSecond: howMany / 60 }));
  context.say('as many as are taken');
  const flat = await measured(subject, outside, checked, () => beat({}));
  context.say('bare rows');
  const bare = await measured(subject, outside, checked, () => beat({ mode: 'bare' }));
  context.say(`all of them back after a day: ${count(howMany * A_DAY)} heartbeats`);
  const back = await measured(subject, outside, checked, () =>
    beat({ mode: 'kept', posts: howMany * Math.ceil(A_DAY / KEPT), seconds: 3_600 }),
  );
  const bytes = await bytesOf(subject);

  // The cost of the checks of every second is not part of a heartbeat.
  const own = ({ cpuSeconds, seconds: took }: Measured) =>
    cpuSeconds - (idle.cpuSeconds / idle.seconds) * took;
  const each = (round: Measured) => (own(round) / (round.done?.heartbeats ?? 1)) * 1e6;
  const perSecond = ({ done }: Measured) => (done ? done.heartbeats / done.seconds : Number.NaN);
  return {
    rows: [
      {
        figure: 'CPU microseconds per heartbeat at full speed: server + database',
        tocsin: count(each(flat)),
        beside: `${count(each(bare))} bare INSERT of its row (database alone)`,
        ratio: times(each(flat), each(bare)),
      },
      {
        figure: 'Heartbeats a second, stored and judged',
        tocsin: count(perSecond(flat)),
        beside: `${count(perSecond(bare))} bare INSERT`,
        ratio: times(perSecond(flat), perSecond(bare)),
      },
      {
        figure: `${count(howMany)} agents, a heartbeat a minute: median, p99 of a post`,
        tocsin: `${ms(quantile(steady.done?.tookMs ?? [], 0.5))}, ${ms(quantile(steady.done?.tookMs ?? [], 0.99))}`,
      },
      {
        figure: 'the same: share of a core, server + database',
        tocsin: `${((own(steady) / steady.seconds) * 100).toFixed(1)} %`,
      },
      {
        figure: 'A day of all of them comes back: heartbeats a second, and how long it takes',
        tocsin: `${count(perSecond(back))}, ${count(back.seconds)} s`,
      },
      {
        figure: 'the same: CPU microseconds per heartbeat',
        tocsin: count(each(back)),
        beside: `${count(each(flat))} one by one`,
        ratio: times(each(back), each(flat)),
      },
      {
        figure: `Lateness of ${CHECKED} checks a second meanwhile: p99`,
        tocsin: ms(quantile(back.latenessMs, 0.99)),
        beside: `${ms(quantile(idle.latenessMs, 0.99))} without agents`,
        ratio: times(quantile(back.latenessMs, 0.99), quantile(idle.latenessMs, 0.99)),
      },
      {
        figure: 'Checks stored of those due: meanwhile',
        tocsin: `${back.stored} of ${back.expected}`,
        beside: `${idle.stored} of ${idle.expected} without agents`,
      },
      { figure: 'Bytes on disk per agent and day: readings', tocsin: count(bytes.readings) },
      { figure: 'the same: checks of its two monitors', tocsin: count(bytes.checks) },
    ],
    notes: [
      `${count(howMany)} agents, enrolled over HTTP, each with two monitors (online, and CPU over 90 % in 300 s); heartbeats of ten readings and two disks over HTTP from a process of its own, ${IN_FLIGHT} in flight, ${seconds} s a round after a warm-up; kept ones ${KEPT} a post.`,
      `A probe checks ${CHECKED} monitors every second throughout; their CPU, measured without agents, is subtracted. The baseline inserts the same row with one statement each into a table without a key, as many in flight.`,
      'Bytes are the size of table and indexes after the day came back, per agent.',
    ],
  };
};

type Measured = {
  done: BeatDone | null;
  seconds: number;
  cpuSeconds: number;
  latenessMs: number[];
  stored: number;
  expected: number;
};

async function measured(
  subject: Subject,
  outside: Outside,
  checked: readonly Made[],
  act: () => Promise<BeatDone | null>,
): Promise<Measured> {
  outside.record();
  const before = cpuByPart(subject.processes());
  const fromMs = Date.now();
  const startedAtMs = performance.now();
  const done = await act();
  const seconds = (performance.now() - startedAtMs) / 1000;
  const toMs = Date.now();
  const after = cpuByPart(subject.processes());
  const arrivals = (await outside.report()).filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  // The last results of the round are still on their way.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const { stored, expected } = await coverageOf(subject, checked, 1, fromMs, toMs);
  return {
    done,
    seconds,
    cpuSeconds: after.server + after.database - before.server - before.database,
    latenessMs: latenessOf(arrivals, checked, 1),
    stored,
    expected,
  };
}

async function enrol(
  context: Context,
  { admin, orgId, url }: Subject,
  howMany: number,
): Promise<{ ids: string[]; credentials: string[] }> {
  context.say(`enrolling ${howMany} agents`);
  const { token } = await admin.ok<{ token: string }>(
    'POST',
    `/organizations/${orgId}/agents/enrollment-tokens`,
    { uses: howMany },
  );
  const ids: string[] = [];
  const credentials: string[] = [];
  for (let i = 0; i < howMany; i++) {
    const machine = {
      hostname: `host-${i}`,
      platform: 'linux',
      os: 'Debian 13',
      arch: 'x64',
      agent_version: '0.1.0',
    };
    const answer = await fetch(`${url}/agent/enroll`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, ...machine }),
    });
    const body = (await answer.json()) as { agent_id: string; credential: string };
    if (!answer.ok) throw new Error(`enrolling answered ${answer.status}: ${JSON.stringify(body)}`);
    ids.push(body.agent_id);
    credentials.push(body.credential);
  }
  return { ids, credentials };
}

/** Per agent: the disk space of a day of its data. */
async function bytesOf({ database }: Subject): Promise<{ readings: number; checks: number }> {
  const { rows } = await sql<{ readings: number; rows: number; checks: number; all_checks: number }>`
    SELECT (SELECT sum(pg_total_relation_size(inhrelid))::float8 FROM pg_inherits WHERE inhparent = 'agent_readings'::regclass) AS readings,
      (SELECT count(*)::float8 FROM agent_readings) AS rows,
      (SELECT sum(pg_total_relation_size(inhrelid))::float8 FROM pg_inherits WHERE inhparent = 'checks'::regclass) AS checks,
      (SELECT count(*)::float8 FROM checks) AS all_checks`.execute(database.db);
  const [found] = rows;
  if (!found) throw new Error('nothing was stored');
  const perReading = found.readings / found.rows;
  return {
    readings: perReading * A_DAY,
    // A day has one check of each monitor a minute.
    checks: (found.checks / found.all_checks) * 2 * A_DAY,
  };
}
