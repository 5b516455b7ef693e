// What a heartbeat's pings and its silence say (docs/rules/monitor-types.md#lateness). Pure; instants in milliseconds.
import type { ConfirmationState } from './confirmation-state.ts';
import { cronInstants, dueAfter, EARLY_MS, type Schedule } from './heartbeat-schedule.ts';
import { utcSecond } from './utc.ts';

/** A run that has started and not ended. `unsure`: its end may have come while nobody was here to hear it. */
export type Run = { rid: string; atMs: number; unsure: boolean };

export type Heartbeat = {
  schedule: Schedule;
  graceMs: number;
  maxRuntimeMs: number | null;
  /** The last ping that ended a run or stood alone, and what it said; null before the first. */
  lastBeatMs: number | null;
  lastOk: boolean | null;
  /** Exit code that it carried. */
  lastCode: number | null;
  /** When the next ping is expected, without grace. */
  dueMs: number | null;
  runs: readonly Run[];
  /** How often in a row an expected ping was let off. */
  excused: number;
};

export type Finding =
  | { status: 'up' }
  | { status: 'down'; failureClass: HeartbeatFailure; detail: string; responseCode: number | null };
export type HeartbeatFailure = 'heartbeat_missed' | 'heartbeat_failed' | 'heartbeat_overrun';

/**
 * How the target is at an instant, as far as it has told; null before its first ping. A run that is too long says more
 * than the silence that follows from it, and silence is newer than a failure reported before it.
 */
export function findingAt(heartbeat: Heartbeat, atMs: number): Finding | null {
  const { lastBeatMs, lastOk, lastCode, dueMs, maxRuntimeMs } = heartbeat;
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
      `no ping since ${lastWords(lastBeatMs)}; it was due at ${utcSecond(dueMs)}`,
    );
  if (lastBeatMs === null) return null;
  if (lastOk === false)
    return down(
      'heartbeat_failed',
      lastCode === null
        ? `reported a failure at ${utcSecond(lastBeatMs)}`
        : `reported exit code ${lastCode} at ${utcSecond(lastBeatMs)}`,
      lastCode,
    );
  return { status: 'up' };
}

/** From when on silence is a failure: due and grace together. */
export function lateAt({ dueMs, graceMs }: Pick<Heartbeat, 'dueMs' | 'graceMs'>): number | null {
  return dueMs === null ? null : dueMs + graceMs;
}

/** The next instant after `afterMs` at which silence alone changes the finding; null when none does. */
export function nextTurnMs(heartbeat: Heartbeat, afterMs: number): number | null {
  const { maxRuntimeMs, runs } = heartbeat;
  const ends = maxRuntimeMs === null ? [] : runs.filter(isSure).map((run) => run.atMs + maxRuntimeMs);
  const turns = [...ends, lateAt(heartbeat)].filter((at) => at !== null && at > afterMs) as number[];
  return turns.length === 0 ? null : Math.min(...turns);
}

/** How often in a row a ping is let off: a server that restarts all the time must not keep a dead target from being noticed. */
const MOST_EXCUSES = 3;

/**
 * Nobody was here from `fromMs` to `untilMs`: pings of that time are lost, and their absence says nothing. The ping
 * whose time (from as early as its grace to as late as its grace) touches the gap is let off, and the one after it
 * expected; at the very least one checking interval has to pass before silence counts. What was late already stays so. Ends of
 * runs that were open may have been missed, so none of them is too long any more.
 */
export function afterAway(
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
  const isExcused = touched && excused < MOST_EXCUSES;
  const next = isExcused ? (dueAfter(schedule, away.untilMs) ?? dueMs) : dueMs;
  return {
    ...heartbeat,
    runs,
    dueMs: Math.max(next, dueMs, away.untilMs + intervalMs - graceMs),
    excused: isExcused ? excused + 1 : excused,
  };
}

/** Instants of a cron schedule that pings after `afterMs` can be due at; [] for a period. */
export function laidUp(schedule: Schedule, afterMs: number, count: number): number[] {
  return schedule.kind === 'period' ? [] : cronInstants(schedule, afterMs + EARLY_MS, count);
}

/** Whether passing looks are still needed: something failed, and too few of them have said that it is over. */
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

const lastWords = (lastBeatMs: number | null) => (lastBeatMs === null ? 'the start' : utcSecond(lastBeatMs));

/** "90 s", "20 min", "6 h". */
function spanWords(ms: number): string {
  const seconds = ms / 1000;
  if (seconds >= 3600 && seconds % 3600 === 0) return `${seconds / 3600} h`;
  if (seconds >= 60 && seconds % 60 === 0) return `${seconds / 60} min`;
  return `${seconds} s`;
}
