// Judges a heartbeat by its pings and missing pings (docs/rules/monitor-types.md#lateness). Pure; instants in
// milliseconds.
import type { ConfirmationState } from './confirmation-state.ts';
import { cronInstants, dueAfter, EARLY_MS, type Schedule } from './heartbeat-schedule.ts';
import { MAX_EXCUSED } from './overdue.ts';
import { utcSecond } from './utc.ts';

/** A run that has started and not ended. `unsure`: its end may have come while the server was down. */
export type Run = { rid: string; atMs: number; unsure: boolean };

export type Heartbeat = {
  schedule: Schedule;
  graceMs: number;
  maxRuntimeMs: number | null;
  /** The last ping that ended a run or stood alone, and its outcome; null before the first. */
  lastPingMs: number | null;
  lastOk: boolean | null;
  /** Exit code that it carried. */
  lastCode: number | null;
  /** When the next ping is expected, without grace. */
  dueMs: number | null;
  runs: readonly Run[];
  /** The number of expected pings in a row that were excused. */
  excused: number;
};

export type Finding =
  | { status: 'up' }
  | { status: 'down'; failureClass: HeartbeatFailure; detail: string; responseCode: number | null };
export type HeartbeatFailure = 'heartbeat_missed' | 'heartbeat_failed' | 'heartbeat_overrun';

/**
 * The state of the target at an instant; null before its first ping. An overrun takes precedence over the missed ping
 * that follows from it, and a missed ping over an earlier reported failure.
 */
export function findingAt(heartbeat: Heartbeat, atMs: number): Finding | null {
  const { lastPingMs, lastOk, lastCode, dueMs, maxRuntimeMs } = heartbeat;
  const overrun = overrunAt(heartbeat, atMs);
  if (overrun !== null)
    return down(
      'heartbeat_overrun',
      `started at ${utcSecond(overrun.atMs)} and has not finished within ${spanWords(maxRuntimeMs ?? 0)}`,
    );
  const lateMs = lateAt(heartbeat);
  if (dueMs !== null && lateMs !== null && atMs >= lateMs)
    return down(
      'heartbeat_missed',
      `no ping since ${lastWords(lastPingMs)}; it was due at ${utcSecond(dueMs)}`,
    );
  if (lastPingMs === null) return null;
  if (lastOk === false)
    return down(
      'heartbeat_failed',
      lastCode === null
        ? `reported a failure at ${utcSecond(lastPingMs)}`
        : `reported exit code ${lastCode} at ${utcSecond(lastPingMs)}`,
      lastCode,
    );
  return { status: 'up' };
}

/** When a missing ping becomes a failure: due time plus grace. */
export function lateAt({ dueMs, graceMs }: Pick<Heartbeat, 'dueMs' | 'graceMs'>): number | null {
  return dueMs === null ? null : dueMs + graceMs;
}

/** The next instant after `afterMs` at which the finding changes without a ping; null when there is none. */
export function nextTurnMs(heartbeat: Heartbeat, afterMs: number): number | null {
  const { maxRuntimeMs, runs } = heartbeat;
  const ends = maxRuntimeMs === null ? [] : runs.filter(isSure).map((run) => run.atMs + maxRuntimeMs);
  const turns = [...ends, lateAt(heartbeat)].filter((at) => at !== null && at > afterMs) as number[];
  return turns.length === 0 ? null : Math.min(...turns);
}

/** The earlier of two instants, either of which may never come (null). */
export const earlier = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/**
 * The server was down from `fromMs` to `untilMs`: pings of that time are lost, and a missing one says nothing. The ping
 * whose time (with its grace before and after) overlaps the gap is excused, and the next one is expected; at least one
 * checking interval has to pass before a missing ping counts. A ping that was already late stays late. The ends of open
 * runs may have been lost, so none of them is an overrun any more.
 */
export function afterDowntime(
  heartbeat: Heartbeat,
  away: { fromMs: number; untilMs: number },
  intervalMs: number,
): Heartbeat {
  const { schedule, graceMs, dueMs, excused } = heartbeat;
  const runs = heartbeat.runs.map((run) => ({ ...run, unsure: true }));
  const lateMs = lateAt(heartbeat);
  if (dueMs === null || lateMs === null || lateMs <= away.fromMs) return { ...heartbeat, runs };
  const early = Math.max(graceMs, EARLY_MS);
  const touched = dueMs - early < away.untilMs;
  const isExcused = touched && excused < MAX_EXCUSED;
  const next = isExcused ? (dueAfter(schedule, away.untilMs) ?? dueMs) : dueMs;
  return {
    ...heartbeat,
    runs,
    dueMs: Math.max(next, dueMs, away.untilMs + intervalMs - graceMs),
    excused: isExcused ? excused + 1 : excused,
  };
}

/**
 * The clock was set back to `nowMs`: a ping or run that it dated later counts as of now, and the next ping is awaited accordingly.
 * At least one checking interval has to pass before a missing ping counts.
 */
export function afterSetBack(heartbeat: Heartbeat, nowMs: number, intervalMs: number): Heartbeat {
  const { schedule, graceMs, lastPingMs, dueMs } = heartbeat;
  const runs = heartbeat.runs.map((run) => (run.atMs > nowMs ? { ...run, atMs: nowMs, unsure: true } : run));
  const past = { ...heartbeat, runs, lastPingMs: lastPingMs === null ? null : Math.min(lastPingMs, nowMs) };
  if (dueMs === null || dueMs <= nowMs) return past;
  const dueFromNowMs = Math.max(dueAfter(schedule, nowMs) ?? dueMs, nowMs + intervalMs - graceMs);
  return { ...past, dueMs: Math.min(dueMs, dueFromNowMs) };
}

/** Instants of a cron schedule that pings after `afterMs` can be due at; [] for a period. */
export function upcomingInstants(schedule: Schedule, afterMs: number, count: number): number[] {
  return schedule.kind === 'period' ? [] : cronInstants(schedule, afterMs + EARLY_MS, count);
}

/** Whether more passing checks are needed: something failed, and too few checks have passed since. */
export function awaitsRecovery({ outage, phase, regions }: ConfirmationState): boolean {
  return (
    outage !== null ||
    phase !== null ||
    Object.values(regions).some((region) => region.condition !== 'recovered' || region.last.status !== 'up')
  );
}

const isSure = (run: Run) => !run.unsure;

function overrunAt({ runs, maxRuntimeMs }: Heartbeat, atMs: number): Run | null {
  if (maxRuntimeMs === null) return null;
  const over = runs.filter((run) => isSure(run) && run.atMs + maxRuntimeMs <= atMs);
  return over.sort((a, b) => a.atMs - b.atMs)[0] ?? null;
}

function down(failureClass: HeartbeatFailure, detail: string, responseCode: number | null = null): Finding {
  return { status: 'down', failureClass, detail, responseCode };
}

const lastWords = (lastPingMs: number | null) => (lastPingMs === null ? 'the start' : utcSecond(lastPingMs));

/** "90 s", "20 min", "6 h". */
function spanWords(ms: number): string {
  const seconds = ms / 1000;
  if (seconds >= 3600 && seconds % 3600 === 0) return `${seconds / 3600} h`;
  if (seconds >= 60 && seconds % 60 === 0) return `${seconds / 60} min`;
  return `${seconds} s`;
}
