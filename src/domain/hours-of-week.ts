// The hours of a week on the clocks of a time zone (docs/rules/figures.md#availability-by-hour-of-the-week): when each of them
// was in a range, whatever daylight saving does to it. Pure.
import { HOUR_MS } from './durations.ts';
import type { Span } from './spans.ts';
import { type History, uptimeByPart } from './uptime.ts';

export const HOURS_OF_A_WEEK = 168;
/** The epoch was a Thursday. */
const EPOCH_HOUR = 3 * 24;

/** A stretch of a range that lies in one hour of the week: 0 is Monday from 00:00 to 01:00, 167 Sunday from 23:00 on. */
export type HourPart = { startMs: number; hour: number };

/**
 * The hours of a range, in order and without a gap. An hour that the clocks go through twice is there twice, one that they
 * leave out is not there, and one that they enter or leave midway is as long as it was.
 */
export function hourParts({ fromMs, untilMs }: Span, timezone: string): HourPart[] {
  const parts: HourPart[] = [];
  for (const { startMs, endMs, offsetMs } of offsets({ fromMs, untilMs }, timezone)) {
    let at = startMs;
    while (at < endMs) {
      const local = Math.floor((at + offsetMs) / HOUR_MS);
      const hour = (((local + EPOCH_HOUR) % HOURS_OF_A_WEEK) + HOURS_OF_A_WEEK) % HOURS_OF_A_WEEK;
      parts.push({ startMs: at, hour });
      at = (local + 1) * HOUR_MS - offsetMs;
    }
  }
  return parts;
}

/** The stretches of a range in which the zone keeps one offset from UTC. */
function offsets({ fromMs, untilMs }: Span, timezone: string) {
  const found: { startMs: number; endMs: number; offsetMs: number }[] = [];
  let startMs = fromMs;
  while (startMs < untilMs) {
    const at = Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO(timezone);
    const next = at.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
    const endMs = Math.min(untilMs, next);
    found.push({ startMs, endMs, offsetMs: at.offsetNanoseconds / 1e6 });
    startMs = endMs;
  }
  return found;
}

/** The counted time of an hour of the week, over all its occurrences in the range, and its downtime. */
export type HourOfWeek = { countedMs: number; downMs: number; maintenanceMs: number; pct: number | null };

/** The uptime of each of the 168 hours of the week over a range, by the function that every uptime is computed with. */
export function uptimeByHourOfWeek(range: Span, timezone: string, history: History): HourOfWeek[] {
  const parts = hourParts(range, timezone);
  const uptimes = uptimeByPart(
    range,
    parts.map(({ startMs }) => startMs),
    history,
  );
  const hours = Array.from({ length: HOURS_OF_A_WEEK }, () => ({
    countedMs: 0,
    downMs: 0,
    maintenanceMs: 0,
  }));
  for (const [i, { hour }] of parts.entries()) {
    const [sum, part] = [hours[hour], uptimes[i]];
    if (sum === undefined || part === undefined) continue;
    sum.countedMs += part.countedMs;
    sum.downMs += part.downMs;
    sum.maintenanceMs += part.maintenanceMs;
  }
  return hours.map((each) => ({
    ...each,
    pct: each.countedMs === 0 ? null : ((each.countedMs - each.downMs) / each.countedMs) * 100,
  }));
}
