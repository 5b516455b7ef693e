// A ping in one statement: it finds the monitor by the token, moves the due time, and writes the check. It commits before
// the response (docs/rules/monitor-types.md#pings). While all is well, a ping reads and writes nothing else.
import { sql } from 'kysely';
import { lateOf } from '../checks/store.ts';
import { upcomingInstants } from '../domain/heartbeat.ts';
import { EARLY_MS, type Schedule } from '../domain/heartbeat-schedule.ts';
import { heartbeatHash, UPCOMING } from '../monitors/heartbeats.ts';
import type { Database } from '../platform/work.ts';

export type Ping = {
  token: string;
  /** Run id; `''` if none was given. */
  rid: string;
  /** A start writes no check. `code` is the exit code, if the ping gave one. */
  signal: { kind: 'started' } | { kind: 'ended'; ok: boolean; code: number | null };
  /** null: empty. */
  body: string | null;
};

export type Received = {
  monitorNo: number;
  /** The monitor is disabled: the ping is accepted and stores nothing. */
  paused: boolean;
  /** The monitor fails, or has not recovered yet: the check must be evaluated. */
  needsEvaluation: boolean;
};

/** Concurrent runs of one monitor; when another starts, the oldest is dropped. */
const MAX_RUNS = 20;

const DOWN = 2;
const UP = 0;

/** Stores a ping; null for an unknown token. Pings of one monitor wait for each other, and each gets its own instant. */
export async function recordPing(db: Database, ping: Ping, now: Date): Promise<Received | null> {
  if (ping.signal.kind === 'ended') return takeEnd(db, ping, ping.signal, now);
  const received = await takeStart(db, ping, now);
  if (!received?.lacksDue) return received;
  await precompute(db, received.monitorNo, now);
  return takeStart(db, ping, now, true);
}

/**
 * The current row under its lock, whatever the statement's snapshot signal, with derived columns: `at`, later than every
 * earlier check; `next_due`; `runs_dry`, when the precomputed instants of a cron schedule are running out.
 */
const mine = ({ token, rid }: Ping, now: Date) => sql`
  locked AS MATERIALIZED (
    SELECT * FROM heartbeats WHERE token_hash = ${heartbeatHash(token)} FOR NO KEY UPDATE
  ), placed AS MATERIALIZED (
    SELECT *, greatest(${now}::timestamptz, last_result_at + interval '1 millisecond') AS at,
      (runs -> ${rid}::text ->> 'at')::bigint AS started_ms
    FROM locked
  ), mine AS MATERIALIZED (
    SELECT *, floor(extract(epoch FROM at) * 1000)::bigint AS at_ms,
      CASE WHEN schedule ->> 'kind' = 'period'
        THEN at + make_interval(secs => (schedule ->> 'period_seconds')::int)
        ELSE (SELECT to_timestamp(min(instant) / 1000.0) FROM unnest(upcoming) AS instant
          WHERE to_timestamp(instant / 1000.0) > at + make_interval(secs => ${EARLY_MS / 1000}::float8))
      END AS next_due,
      schedule ->> 'kind' = 'cron' AND cardinality(upcoming) > 2
        AND to_timestamp(upcoming[cardinality(upcoming) - 2] / 1000.0) <= at AS runs_dry
    FROM placed
  )`;

/** The instant at which the next of the open runs of `as` exceeds its maximum; NULL if none does. */
const overrunOf = (as: string, runs: string) => sql`
  (SELECT to_timestamp(min(ends) / 1000.0)
    FROM jsonb_each(${sql.ref(`${as}.${runs}`)}),
      LATERAL (SELECT (value ->> 'at')::bigint + ${sql.ref(`${as}.max_runtime_seconds`)} * 1000::bigint AS ends) run
    WHERE ends > ${sql.ref(`${as}.at_ms`)} AND NOT coalesce((value ->> 'unsure')::boolean, false))`;

async function takeEnd(
  db: Database,
  ping: Ping,
  { ok, code }: { ok: boolean; code: number | null },
  now: Date,
): Promise<Received | null> {
  const { rid, body } = ping;
  // A success also ends overlong runs: a later run proves that the job works.
  const { rows } = await sql<Received>`
    WITH ${mine(ping, now)}, ended AS MATERIALIZED (
      SELECT *, unsettled OR NOT ${ok}::boolean AS needs_look,
        (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(runs)
          WHERE key <> ${rid} AND NOT (${ok}::boolean AND max_runtime_seconds IS NOT NULL
            AND (value ->> 'at')::bigint + max_runtime_seconds * 1000::bigint <= at_ms)) AS left_runs,
        CASE WHEN started_ms IS NOT NULL THEN least(greatest(at_ms - started_ms, 0), 2147483647)::int END AS took_ms
      FROM mine WHERE NOT paused
    ), written AS (
      UPDATE heartbeats h SET last_beat_at = e.at, last_ok = ${ok}::boolean, last_code = ${code}::smallint,
        last_duration_ms = e.took_ms, last_result_at = e.at, runs = e.left_runs, due_at = e.next_due,
        extended = false, excused = 0, unsettled = e.needs_look,
        unread_from = CASE WHEN e.needs_look THEN coalesce(e.unread_from, e.at) END,
        look_at = CASE WHEN e.needs_look OR e.next_due IS NULL OR e.runs_dry THEN e.at
          ELSE least(e.next_due + make_interval(secs => e.grace_seconds), ${overrunOf('e', 'left_runs')}) END
      FROM ended e WHERE h.monitor_no = e.monitor_no
    ), checked AS (
      INSERT INTO checks (checked_at, monitor_no, region_no, status, latency_ms, response_code, failure_class, cause_layer,
        detail)
      SELECT at, monitor_no, 0, ${ok ? UP : DOWN}::smallint, took_ms, ${code}::smallint,
        ${ok ? null : 'heartbeat_failed'}::text, ${ok ? null : 'target_app'}::text, ${body}::text
      FROM ended
    ), ${lateOf(sql`SELECT monitor_no AS no, at_ms FROM ended`)}
    SELECT monitor_no AS "monitorNo", paused, NOT paused AND (unsettled OR NOT ${ok}::boolean) AS "needsEvaluation"
    FROM mine`.execute(db);
  return rows[0] ?? null;
}

/**
 * `lacksDue`: nothing is stored yet, because every precomputed cron time has passed: the wait of this run would have no end. An end
 * has its due time computed by the evaluation that follows it.
 */
async function takeStart(
  db: Database,
  ping: Ping,
  now: Date,
  isPrecomputed = false,
): Promise<(Received & { lacksDue: boolean }) | null> {
  const { rid } = ping;
  // A start in time extends the wait to the next due time, but only once: a start does not prove an end.
  const { rows } = await sql<Received & { lacksDue: boolean }>`
    WITH ${mine(ping, now)}, started AS MATERIALIZED (
      SELECT *, due_at IS NULL OR (NOT extended AND at < due_at + make_interval(secs => grace_seconds)) AS extends,
        (SELECT jsonb_object_agg(key, value) FROM (
          SELECT ${rid}::text AS key, jsonb_build_object('at', at_ms) AS value, at_ms AS since
          UNION ALL SELECT key, value, (value ->> 'at')::bigint FROM jsonb_each(runs) WHERE key <> ${rid}
          ORDER BY since DESC LIMIT ${MAX_RUNS}
        ) newest) AS open_runs
      FROM mine WHERE NOT paused AND (next_due IS NOT NULL OR ${isPrecomputed}::boolean)
    ), moved AS MATERIALIZED (
      SELECT *, CASE WHEN extends THEN greatest(due_at, next_due) ELSE due_at END AS moved_due FROM started
    ), written AS (
      UPDATE heartbeats h SET runs = m.open_runs, due_at = m.moved_due, extended = m.extended OR m.extends,
        look_at = least(
          -- A check scheduled for the end of the wait moves with it; any other stays.
          CASE WHEN m.extends AND (m.look_at IS NULL OR m.look_at >= m.due_at + make_interval(secs => m.grace_seconds))
            THEN m.moved_due + make_interval(secs => m.grace_seconds) ELSE m.look_at END,
          m.recheck_at, ${overrunOf('m', 'open_runs')})
      FROM moved m WHERE h.monitor_no = m.monitor_no
    )
    SELECT monitor_no AS "monitorNo", paused, false AS "needsEvaluation",
      NOT paused AND next_due IS NULL AND NOT ${isPrecomputed}::boolean AS "lacksDue"
    FROM mine`.execute(db);
  return rows[0] ?? null;
}

/** Computes the cron times of a heartbeat from now on, unless an edit has given it another schedule meanwhile. */
async function precompute(db: Database, monitorNo: number, now: Date): Promise<void> {
  const row = await db
    .selectFrom('heartbeats')
    .select('schedule')
    .where('monitor_no', '=', monitorNo)
    .executeTakeFirst();
  if (!row) return;
  const upcoming = upcomingInstants(row.schedule as Schedule, now.getTime(), UPCOMING);
  await sql`UPDATE heartbeats SET upcoming = ${upcoming}::float8[]
    WHERE monitor_no = ${monitorNo} AND schedule = ${JSON.stringify(row.schedule)}::jsonb`.execute(db);
}
