// Shifts as iCalendar (RFC 5545). Times are in UTC, so that a shift is right in a reader that does not know the zone's rules.
import { isolated } from '../domain/direction.ts';
import { DAY_MS } from '../domain/durations.ts';
import { type DutyPeriod, periodsFrom } from '../domain/rotation.ts';
import { hashToken } from '../platform/secrets.ts';
import { whenNeeded } from '../platform/when-needed.ts';
import type { Database } from '../platform/work.ts';
import type { CalendarOf } from './calendar.ts';
import { readOnCall } from './on-call-config.ts';

const iCalendar = whenNeeded<typeof import('ical-generator')>('ical-generator');

const WEEKS = 26;
/** How often calendar programs should refresh. */
const REFRESH_SECONDS = 3600;

type Shift = { id: string; start: Date; end: Date; summary: string; description: string };

export type CalendarFile = {
  /** A weak entity tag (RFC 9110): it covers the shifts, but not the time at which the file was made. */
  etag: string;
  /** Makes the file. */
  text: () => string;
};

/** A person's calendar at `now`: their own shifts, or everybody's, for the next half year, without gaps. */
export async function calendarFile(db: Database, calendar: CalendarOf, now: Date): Promise<CalendarFile> {
  const { orgId, orgName, userId, shifts: whose } = calendar;
  const { rotation, names } = await readOnCall(db, orgId, now);
  const shifts = periodsFrom(rotation, now.getTime(), WEEKS)
    .filter((period) => period.userId !== null && (whose === 'everybody' || period.userId === userId))
    .map((period) => shiftOf(period, orgId, names.get(period.userId ?? '') ?? '', now));
  const name = `On call: ${isolated(orgName)}`;
  return {
    etag: `W/"${hashToken(JSON.stringify([name, shifts])).toString('base64url')}"`,
    text: () => render(name, shifts, now),
  };
}

/** A duty period without a beginning starts with the day; one without an end lasts as long as the calendar. */
function shiftOf({ fromMs, untilMs, source }: DutyPeriod, orgId: string, name: string, now: Date): Shift {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return {
    // A shift keeps its id when somebody else takes it, so that calendar programs update the entry.
    id: `${orgId}-${fromMs === null ? 'open' : fromMs / 1000}@tocsin`,
    start: new Date(fromMs ?? today),
    end: new Date(untilMs ?? today + WEEKS * 7 * DAY_MS),
    summary: `On call: ${isolated(name)}`,
    description: source === 'override' ? 'An override: this shift was taken over.' : '',
  };
}

function render(name: string, shifts: readonly Shift[], now: Date): string {
  const { ICalCalendar, ICalCalendarMethod, ICalEventTransparency } = iCalendar();
  const file = new ICalCalendar({
    name,
    prodId: { company: 'Tocsin', product: 'on-call' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
  });
  for (const { description, ...shift } of shifts)
    file.createEvent({
      ...shift,
      ...(description === '' ? {} : { description }),
      stamp: now,
      // Being on call is no appointment: the person's time stays free.
      transparency: ICalEventTransparency.TRANSPARENT,
    });
  return file.toString();
}
