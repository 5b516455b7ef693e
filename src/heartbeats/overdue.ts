// The server checks heartbeats itself: for late pings, for runs that take too long, and for recoveries. The findings are
// results like any other. The time of the next check is in the row, so that a crash loses nothing and any server process
// can do it.
import { sql } from 'kysely';
import { type DecidedMonitor, decideSince, WITHOUT_REGION } from '../checks/decide.ts';
import { type LockedState, lockStates } from '../checks/monitored.ts';
import { type NumberedResult, storeResults } from '../checks/store.ts';
import { intervalInForce } from '../domain/check-interval.ts';
import { isSteady } from '../domain/confirmation-state.ts';
import {
  awaitsRecovery,
  earlier,
  findingAt,
  type Heartbeat,
  nextTurnMs,
  upcomingInstants,
} from '../domain/heartbeat.ts';
import { dueAfter } from '../domain/heartbeat-schedule.ts';
import { evaluatedAt, evaluatedFrom } from '../domain/overdue.ts';
import { type HeartbeatRow, heartbeatOf } from '../monitors/heartbeat-row.ts';
import { UPCOMING } from '../monitors/heartbeats.ts';
import { instantOf } from '../platform/db/instant.ts';
import type { Log } from '../platform/log.ts';
import { bisectFailures, noteSetAside } from '../platform/set-aside.ts';
import { type Database, runWork, SYSTEM, type Work } from '../platform/work.ts';
import type { EnsureDays } from '../series/days.ts';

/** Heartbeats per unit of work. */
const BATCH = 200;
/** How long a heartbeat that cannot be evaluated is set aside, so that it does not come first again every second. */
const REST_MS = 60_000;

export type HeartbeatContext = { db: Database; ensureDays: EnsureDays; log: Log };

/**
 * Checks the due heartbeats, or `only` the one whose last ping must be evaluated. Returns how many it checked. Each result
 * carries the instant at which the check was due. A heartbeat that cannot be evaluated is set aside for a minute.
 */
export async function evaluateHeartbeats(
  { db, ensureDays, log }: HeartbeatContext,
  now: Date,
  only: number | null = null,
): Promise<number> {
  const nos = only === null ? await dueOnes(db, now) : [only];
  if (nos.length === 0) return 0;
  await ensureDays([now.getTime(), evaluatedFrom(now.getTime())]);
  const failed = await bisectFailures(nos, (some) =>
    runWork(db, now, SYSTEM, (work) => evaluateAll(work, some)),
  );
  for (const { item, error } of failed) noteSetAside(log, 'heartbeat', { monitor_no: item }, error);
  if (failed.length > 0)
    await db
      .updateTable('heartbeats')
      .set({ look_at: new Date(now.getTime() + REST_MS) })
      .where(
        'monitor_no',
        'in',
        failed.map(({ item }) => item),
      )
      .execute();
  return nos.length;
}

async function dueOnes(db: Database, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('heartbeats')
    .select('monitor_no')
    .where('look_at', '<=', now)
    .orderBy('look_at')
    .limit(BATCH)
    .execute();
  return rows.map((row) => row.monitor_no);
}

type Evaluation = {
  row: HeartbeatRow;
  heartbeat: Heartbeat;
  locked: LockedState;
  /** The instant of the check. */
  atMs: number;
  /** Results from here on must be evaluated; null: none. */
  sinceMs: number | null;
  /** The result of the check itself. */
  result: NumberedResult | null;
};

async function evaluateAll(work: Work, nos: readonly number[]): Promise<number> {
  // The lock order of every monitor write: the state first, then the heartbeat.
  const states = new Map((await lockStates(work, nos)).map((locked) => [locked.no, locked]));
  const rows = await work.tx
    .selectFrom('heartbeats')
    .selectAll()
    .where('monitor_no', 'in', [...nos])
    .where((where) => where.or([where('look_at', '<=', work.now), where('unread_from', 'is not', null)]))
    .orderBy('monitor_no')
    .forNoKeyUpdate()
    .execute();
  const evaluations = rows.flatMap((row) => {
    const locked = states.get(row.monitor_no);
    return locked ? [evaluate(row, locked, work.now.getTime())] : [];
  });
  if (evaluations.length === 0) return 0;
  const made = evaluations.flatMap(({ result }) => (result ? [result] : []));
  if (made.length > 0) await storeResults(work.tx, WITHOUT_REGION.no, made);
  const since = new Map(
    evaluations.flatMap(({ row, sinceMs }) => (sinceMs === null ? [] : [[row.monitor_no, sinceMs]])),
  );
  const decided = await decideSince(
    work,
    evaluations.map(({ locked }) => locked),
    since,
  );
  await saveRows(work, evaluations, decided);
  return evaluations.length;
}

function evaluate(row: HeartbeatRow, locked: LockedState, nowMs: number): Evaluation {
  const heartbeat = withDue(heartbeatOf(row));
  const newestMs = row.last_result_at?.getTime() ?? 0;
  const seen = { row, heartbeat, locked, result: null };
  if (row.unread_from !== null) return { ...seen, atMs: newestMs, sinceMs: row.unread_from.getTime() };
  const dueMs = row.look_at?.getTime() ?? nowMs;
  const atMs = Math.max(evaluatedAt(dueMs, nowMs), newestMs + 1);
  const finding = findingAt(heartbeat, atMs);
  if (finding === null || (finding.status === 'up' && !isProven(heartbeat, locked)))
    return { ...seen, atMs, sinceMs: null };
  const result: NumberedResult['result'] = {
    checked_at_ms: atMs,
    status: finding.status,
    ...(finding.status === 'down'
      ? {
          failure_class: finding.failureClass,
          cause_layer: 'target_app',
          detail: finding.detail,
          ...(finding.responseCode === null ? {} : { response_code: finding.responseCode }),
        }
      : {}),
  };
  return { ...seen, atMs, sinceMs: atMs, result: { no: row.monitor_no, result } };
}

/** May a check report "up"? Only if a recovery is awaited, and a ping has come since the last edit. */
function isProven({ lastPingMs }: Heartbeat, { state, not_before }: LockedState): boolean {
  return awaitsRecovery(state) && lastPingMs !== null && lastPingMs >= not_before.getTime();
}

/** Computes the due time for a ping that had used up the precomputed instants. */
function withDue(heartbeat: Heartbeat): Heartbeat {
  const { dueMs, lastPingMs, schedule } = heartbeat;
  return dueMs === null && lastPingMs !== null
    ? { ...heartbeat, dueMs: dueAfter(schedule, lastPingMs) }
    : heartbeat;
}

async function saveRows(
  work: Work,
  evaluations: readonly Evaluation[],
  decided: ReadonlyMap<number, DecidedMonitor>,
): Promise<void> {
  const rows = evaluations.map((made) => {
    const { row, heartbeat, atMs, result } = made;
    const turnMs = nextTurnMs(heartbeat, atMs);
    const recheckMs = recheckAtMs(made, decided.get(row.monitor_no));
    return {
      no: row.monitor_no,
      due_at: instantOf(heartbeat.dueMs),
      unsettled: !isSteady(decided.get(row.monitor_no)?.state ?? made.locked.state),
      last_result_at: result ? instantOf(atMs) : null,
      upcoming: upcomingInstants(heartbeat.schedule, Math.max(atMs, heartbeat.lastPingMs ?? 0), UPCOMING),
      recheck_at: instantOf(recheckMs),
      look_at: instantOf(earlier(turnMs, recheckMs)),
    };
  });
  await sql`
    UPDATE heartbeats h SET due_at = n.due_at, unsettled = n.unsettled, unread_from = NULL, upcoming = n.upcoming,
      recheck_at = n.recheck_at, look_at = n.look_at, last_result_at = coalesce(n.last_result_at, h.last_result_at)
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (no int, due_at timestamptz, unsettled boolean,
      last_result_at timestamptz, upcoming double precision[], recheck_at timestamptz, look_at timestamptz)
    WHERE h.monitor_no = n.no`.execute(work.tx);
}

/** During a failure and until the recovery, one interval from the check; null: nothing is checked again. */
function recheckAtMs({ locked, atMs }: Evaluation, decided: DecidedMonitor | undefined): number | null {
  const state = decided?.state ?? locked.state;
  if (decided === undefined || !awaitsRecovery(state)) return null;
  const { policy, rules } = decided.monitor;
  const intervals = {
    intervalSeconds: rules.intervalSeconds,
    failedIntervalSeconds: policy.failed_interval_seconds,
  };
  const { intervalSeconds } = intervalInForce(state, rules.regions, intervals, null);
  return atMs + intervalSeconds * 1000;
}
