// The runs of a crontab line as the server counts them (src/domain/heartbeat-schedule.ts), without Temporal, which not every
// browser has: a skipped time is at the jump, several of them once, and one that comes twice is the first.
import { Cron } from 'croner';
import { cronProblem } from './form.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Most times that are tried to find `count`: those of a doubled hour are skipped. */
const MAX_ATTEMPTS = 10_000;

/** The next runs of a crontab line after `from`, Unix seconds; none if the line or the zone is invalid. */
export function nextRuns(expression: string, timezone: string, count: number, from: number): number[] {
  if (cronProblem(expression) !== null) return [];
  try {
    const pattern = new Cron(expression.trim(), { paused: true, mode: '5-part', timezone: 'UTC' });
    const offsetAt = offsetsOf(timezone);
    const fromMs = from * 1_000;
    let wall: Date | null = new Date(fromMs + offsetAt(fromMs));
    const found: number[] = [];
    for (let tries = 0; found.length < count && tries < MAX_ATTEMPTS; tries++) {
      wall = pattern.nextRun(wall);
      if (wall === null) break;
      const instant = instantOf(wall.getTime(), offsetAt);
      if (instant > (found.at(-1) ?? fromMs)) found.push(instant);
    }
    return found.map((ms) => ms / 1_000);
  } catch {
    return [];
  }
}

/** How far the clock on the wall is ahead of UTC at a moment, in milliseconds. Throws if there is no such zone. */
function offsetsOf(timeZone: string): (ms: number) => number {
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (ms) => {
    const parts = clock.formatToParts(ms);
    const part = (type: Intl.DateTimeFormatPartTypes) =>
      Number(parts.find((each) => each.type === type)?.value);
    const day = [part('year'), part('month') - 1, part('day')] as const;
    return Date.UTC(...day, part('hour'), part('minute'), part('second')) - Math.floor(ms / 1_000) * 1_000;
  };
}

/** The moment of a time on the wall, given as if it were UTC: the first of two, the jump for a skipped one. */
function instantOf(wallMs: number, offsetAt: (ms: number) => number): number {
  const offsets = [offsetAt(wallMs - DAY_MS), offsetAt(wallMs + DAY_MS)];
  const moments = offsets.map((offset) => wallMs - offset).filter((ms) => ms + offsetAt(ms) === wallMs);
  if (moments.length > 0) return Math.min(...moments);
  let [before, after] = [wallMs - DAY_MS, wallMs + DAY_MS];
  while (after - before > MINUTE_MS) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
    if (offsetAt(middle) === offsets[0]) before = middle;
    else after = middle;
  }
  return after;
}
