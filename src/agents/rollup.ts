// The recurring job that rolls readings up: 10 minutes from readings, half days from 10 minutes
// (docs/rules/agents.md#series-of-a-host). Each agent has its own mark, so that one that was away delays no other. The job
// locks the state of an agent, as a heartbeat does: a reading stored meanwhile is either counted or marked as late.
import { sql } from 'kysely';
import { OF_MOUNT, READING_NAMES } from '../domain/agent.ts';
import { DAY_MS } from '../domain/durations.ts';
import { bucketStart } from '../domain/series.ts';
import { keptFrom, makePartition } from '../platform/db/partitions.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import type { Log } from '../platform/log.ts';
import { bisectFailures, noteSetAside } from '../platform/set-aside.ts';
import type { Database, Tx } from '../platform/work.ts';
import { AGENT_BUCKETS_10M, AGENT_BUCKETS_12H, AGENT_READINGS } from '../retention.ts';

export const ROLL_UP_AGENTS_TASK = 'roll_up_agents';

export const TIER_10M = { table: AGENT_BUCKETS_10M.table, seconds: 600 };
export const TIER_12H = { table: AGENT_BUCKETS_12H.table, seconds: 43_200 };

/** A span is closed this long after its end, so that heartbeats still on their way are not late. */
const GRACE_SECONDS = 120;
/** Spans of all agents per transaction, so that no heartbeat waits long for it. One agent never has as many. */
const SPANS_TOGETHER = 1200;
/** Transactions of one run; the next run continues. */
const MAX_TRANSACTIONS = 300;

const SPAN = sql.raw(`interval '${TIER_10M.seconds} seconds'`);
const HALF_DAY = sql.raw(`interval '${TIER_12H.seconds} seconds'`);
/** The time from which an agent is rolled up again: its mark, or the oldest reading that arrived after it. */
const SINCE = sql.raw(
  `date_bin(interval '${TIER_10M.seconds} seconds', least(rolled_until, dirty_from), 'epoch')`,
);

/** [from, until): closed spans whose readings are still stored. */
type Window = { from: Date; until: Date };

/** Rolls up everything due at `now`, within the limits of one run. Any number of processes may run it at once. */
export async function rollUpAgents(db: Database, now: Date, log: Log): Promise<void> {
  const until = new Date(bucketStart(now.getTime() / 1000 - GRACE_SECONDS, TIER_10M.seconds) * 1000);
  const window = { from: keptFrom(AGENT_READINGS, now), until };
  await makePartitions(db, window);
  const failing: number[] = [];
  for (let i = 0; i < MAX_TRANSACTIONS; i++) {
    const due = await nextAgents(db, window, failing);
    if (due.length === 0) return;
    const failed = await bisectFailures(due, (some) => inTransaction(db, (tx) => roll(tx, some, window)));
    for (const { item, error } of failed) {
      noteSetAside(log, 'roll_up_agent', { agent_no: item }, error);
      failing.push(item);
    }
  }
}

const isDue = ({ until }: Window) => sql`(rolled_until < ${until} OR dirty_from IS NOT NULL)`;

/** The numbers of the next agents, longest waiting first: as many as fit one transaction with their spans. */
async function nextAgents(db: Database, window: Window, failing: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ no: number }>`
    SELECT no FROM (
      SELECT agent_no AS no, sum(extract(epoch FROM greatest(${SPAN}, ${window.until} - greatest(${SINCE}, ${window.from}))))
        OVER (ORDER BY least(rolled_until, dirty_from), agent_no ROWS UNBOUNDED PRECEDING) / ${TIER_10M.seconds}::int AS spans,
        row_number() OVER (ORDER BY least(rolled_until, dirty_from), agent_no) AS place
      FROM agent_states WHERE ${isDue(window)} AND agent_no <> ALL(${pgArray(failing)}::int[])
    ) due WHERE spans <= ${SPANS_TOGETHER} OR place = 1 ORDER BY place`.execute(db);
  return rows.map(({ no }) => no);
}

async function roll(tx: Tx, nos: readonly number[], window: Window): Promise<void> {
  const { rows: locked } = await sql<{ no: number; since: Date }>`
    SELECT agent_no AS no, greatest(${SINCE}, ${window.from}) AS since FROM agent_states
    WHERE agent_no = ANY(${pgArray(nos)}::int[]) AND ${isDue(window)} ORDER BY agent_no FOR NO KEY UPDATE`.execute(
    tx,
  );
  // Another process has rolled them up meanwhile.
  if (locked.length === 0) return;
  const agents = {
    nos: pgArray(locked.map(({ no }) => no)),
    since: locked.map(({ since }) => since.toISOString()),
    first: new Date(Math.min(...locked.map(({ since }) => since.getTime()))),
  };
  await rollReadings(tx, agents, window);
  await rollHalfDays(tx, agents, window);
  await sql`
    UPDATE agent_states SET rolled_until = greatest(rolled_until, ${window.until}), dirty_from = NULL
    WHERE agent_no = ANY(${agents.nos}::int[])`.execute(tx);
}

/** Locked agents, and the time from which each is rolled up; `first`: the earliest of those times. */
type Agents = { nos: string; since: string[]; first: Date };

const eachOf = ({ nos, since }: Agents) =>
  sql`unnest(${nos}::int[], ${since}::timestamptz[]) AS d (agent_no, since)`;

const READ_COLUMNS = sql.join(['agent_no', 'disks', ...READING_NAMES].map((name) => sql.ref(`r.${name}`)));
const PARTS_OF_READINGS = sql.join(
  READING_NAMES.map((name) => {
    const value = sql.ref(`r.${name}`);
    return sql`${sql.lit(name)},
      CASE WHEN count(${value}) > 0 THEN jsonb_build_array(count(${value}), sum(${value}), max(${value})) END`;
  }),
);

async function rollReadings(tx: Tx, agents: Agents, { until }: Window): Promise<void> {
  await sql`
    WITH readings AS MATERIALIZED (
      SELECT date_bin(${SPAN}, r.at, 'epoch') AS bucket, ${READ_COLUMNS}
      FROM ${eachOf(agents)}
      JOIN agent_readings r ON r.agent_no = d.agent_no AND r.at >= d.since
        AND r.at >= ${agents.first} AND r.at < ${until}
    ), plain AS (
      SELECT r.bucket, r.agent_no, jsonb_strip_nulls(jsonb_build_object(${PARTS_OF_READINGS})) AS metrics
      FROM readings r GROUP BY 1, 2
    ), disks AS (
      SELECT bucket, agent_no, jsonb_object_agg(metric, parts) AS metrics FROM (
        SELECT r.bucket, r.agent_no, ${OF_MOUNT}::text || d.key AS metric,
          jsonb_build_array(count(*), sum((d.value #>> '{}')::float8), max((d.value #>> '{}')::float8)) AS parts
        FROM readings r CROSS JOIN LATERAL jsonb_each(r.disks) d
        WHERE jsonb_typeof(d.value) = 'number' GROUP BY 1, 2, d.key
      ) mounts GROUP BY 1, 2
    )
    INSERT INTO agent_buckets_10m (bucket, agent_no, metrics)
    SELECT p.bucket, p.agent_no, p.metrics || coalesce(d.metrics, '{}')
    FROM plain p LEFT JOIN disks d ON d.bucket = p.bucket AND d.agent_no = p.agent_no
    ON CONFLICT (agent_no, bucket) DO UPDATE SET metrics = excluded.metrics`.execute(tx);
}

/** Half days that have ended, and that overlap the time rolled up. */
async function rollHalfDays(tx: Tx, agents: Agents, { until }: Window): Promise<void> {
  const first = startOfHalfDay(agents.first);
  const ended = startOfHalfDay(until);
  if (first >= ended) return;
  await sql`
    INSERT INTO agent_buckets_12h (bucket, agent_no, metrics)
    SELECT bucket, agent_no, jsonb_object_agg(metric, jsonb_build_array(n, total, most))
    FROM (
      SELECT date_bin(${HALF_DAY}, b.bucket, 'epoch') AS bucket, b.agent_no, m.key AS metric, sum((m.value ->> 0)::int) AS n,
        sum((m.value ->> 1)::float8) AS total, max((m.value ->> 2)::float8) AS most
      FROM ${eachOf(agents)}
      JOIN agent_buckets_10m b ON b.agent_no = d.agent_no AND b.bucket >= date_bin(${HALF_DAY}, d.since, 'epoch')
        AND b.bucket >= ${first} AND b.bucket < ${ended}
      CROSS JOIN LATERAL jsonb_each(b.metrics) m
      GROUP BY 1, 2, 3
    ) rolled
    GROUP BY bucket, agent_no
    ON CONFLICT (agent_no, bucket) DO UPDATE SET metrics = excluded.metrics`.execute(tx);
}

const startOfHalfDay = (at: Date): Date =>
  new Date(bucketStart(at.getTime() / 1000, TIER_12H.seconds) * 1000);

/** Creates the partitions of the window before the transactions, because creating one locks its table. */
async function makePartitions(db: Database, { from, until }: Window): Promise<void> {
  for (const partitioned of [AGENT_BUCKETS_10M, AGENT_BUCKETS_12H])
    for (let at = from.getTime(); at < until.getTime() + DAY_MS; at += DAY_MS)
      await makePartition(db, partitioned, new Date(Math.min(at, until.getTime())));
}
