// When pings are expected (docs/rules/monitor-types.md#lateness). Pure; every instant in milliseconds.
import { Cron } from 'croner';

export type Schedule =
  | { kind: 'period'; period_seconds: number }
  | { kind: 'cron'; expression: string; timezone: string };

/** A job's clock may be slightly ahead of ours: a ping this early counts for the coming time. */
export const EARLY_MS = 10_000;

/** Most instants that are tried to find `count`: those of a doubled hour are skipped. */
const MAX_ATTEMPTS = 10_000;

/** When the ping after one at `pingMs` is expected; null when a cron expression never comes again. */
export function dueAfter(schedule: Schedule, pingMs: number): number | null {
  if (schedule.kind === 'period') return pingMs + schedule.period_seconds * 1000;
  return cronInstants(schedule, pingMs + EARLY_MS, 1)[0] ?? null;
}

/**
 * The next `count` instants after `afterMs` (never that one itself) that a cron schedule names, ascending. The
 * expression is matched against the wall clock: a time that daylight saving skips is due at the jump (several skipped
 * ones only once), and a time that occurs twice counts only the first time. The library's own zones do so for a single
 * time of day, but not for lists and steps, so it only matches here, and the zone is applied afterwards.
 */
export function cronInstants(
  { expression, timezone }: { expression: string; timezone: string },
  afterMs: number,
  count: number,
): number[] {
  const pattern = new Cron(expression.trim(), { paused: true, mode: '5-part', timezone: 'UTC' });
  const wall = Temporal.Instant.fromEpochMilliseconds(afterMs).toZonedDateTimeISO(timezone).toPlainDateTime();
  let at: Date | null = new Date(wall.toZonedDateTime('UTC').epochMilliseconds);
  const found: number[] = [];
  for (let tries = 0; found.length < count && tries < MAX_ATTEMPTS; tries++) {
    at = pattern.nextRun(at);
    if (at === null) break;
    const instant = instantOf(at.getTime(), timezone);
    if (instant > (found.at(-1) ?? afterMs)) found.push(instant);
  }
  return found;
}

/** The instant of a wall-clock time, given as if it were UTC: the first of two, the jump for a skipped one. */
function instantOf(wallMs: number, timezone: string): number {
  const wall = Temporal.Instant.fromEpochMilliseconds(wallMs).toZonedDateTimeISO('UTC').toPlainDateTime();
  const zoned = wall.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  if (zoned.toPlainDateTime().equals(wall)) return zoned.epochMilliseconds;
  return zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? zoned.epochMilliseconds;
}

/** The next `count` instants after `nowMs` at which pings are expected, given the one that is awaited; [] before the first ping of a period. */
export function expectedInstants(
  schedule: Schedule,
  dueMs: number | null,
  nowMs: number,
  count: number,
): number[] {
  if (schedule.kind === 'cron') return cronInstants(schedule, Math.max(nowMs, (dueMs ?? 0) - 1), count);
  if (dueMs === null) return [];
  const periodMs = schedule.period_seconds * 1000;
  const missed = dueMs > nowMs ? 0 : Math.floor((nowMs - dueMs) / periodMs) + 1;
  return Array.from({ length: count }, (_, i) => dueMs + (missed + i) * periodMs);
}
