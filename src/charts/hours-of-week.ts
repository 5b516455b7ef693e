// Uptime by hour of the week (docs/rules/figures.md#availability-by-hour-of-the-week).
import { canonicalZone, isTimezone } from '../domain/cron.ts';
import { DAY_MS } from '../domain/durations.ts';
import { uptimeByHourOfWeek } from '../domain/hours-of-week.ts';
import { uptimeOf } from '../domain/uptime.ts';
import { wholeSeconds } from '../domain/whole-seconds.ts';
import type { QueryOf } from '../platform/contract.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import { freeSpan } from '../series/range.ts';
import { asking, readHistory } from '../series/uptime.ts';
import type { getHoursOfWeek, HoursOfWeek } from './contract.ts';

/** Each hour of the week four times. */
const DEFAULT_SECONDS = (28 * DAY_MS) / 1000;

/** Throws `invalid_request`, naming the parameter, for a range or a time zone that is none. */
export async function hoursOfWeek(
  db: Database,
  monitorId: string,
  { timezone = 'UTC', ...asked }: QueryOf<typeof getHoursOfWeek>,
  now: Date,
): Promise<HoursOfWeek> {
  if (!isTimezone(timezone))
    refuse('invalid_request', 'timezone must be the name of an IANA time zone, such as Europe/Berlin.', {
      field: 'timezone',
    });
  const nowUnix = unix(now);
  const span = freeSpan(asked, nowUnix) ?? { fromUnix: nowUnix - DEFAULT_SECONDS, toUnix: nowUnix };
  const toUnix = Math.min(span.toUnix, nowUnix);
  const range = { fromMs: span.fromUnix * 1000, untilMs: toUnix * 1000 };
  const monitor = await db.selectFrom('monitors').select('no').where('id', '=', monitorId).executeTakeFirst();
  const history = await readHistory(
    asking(db),
    monitor?.no ?? notFound('monitor'),
    new Date(range.fromMs),
    new Date(range.untilMs),
  );
  const hours = uptimeByHourOfWeek(range, timezone, history);
  const counted = wholeSeconds(hours.map((each) => each.countedMs));
  const down = wholeSeconds(hours.map((each) => each.downMs));
  const maintenance = wholeSeconds(hours.map((each) => each.maintenanceMs));
  return {
    timezone: canonicalZone(timezone),
    from_unix: span.fromUnix,
    to_unix: toUnix,
    uptime_time_pct: uptimeOf(range, history).pct,
    hours: hours.map((each, i) => ({
      weekday: Math.floor(i / 24) + 1,
      hour: i % 24,
      uptime_time_pct: each.pct,
      counted_seconds: counted[i] ?? 0,
      downtime_seconds: down[i] ?? 0,
      maintenance_seconds: maintenance[i] ?? 0,
    })),
  };
}
