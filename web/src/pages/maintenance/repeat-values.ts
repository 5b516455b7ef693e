// The recurrence of a window as form values and in words. Rules that the form cannot express stay unchanged.
import type { Repeat } from '#src/maintenance/contract.ts';

export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof WEEKDAYS)[number];
export const FREQUENCIES = ['never', 'day', 'week', 'monthDay', 'monthWeekday'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

export type RepeatValues = {
  /** `other`: a rule that the form cannot express. */
  every: Frequency | 'other';
  /** Days of the week; empty for the day on which the window starts. */
  days: Weekday[];
  /** Chosen in this form: they stay when the start moves to another day. Others move along with it, as on the server. */
  isChosen: boolean;
  /** The last day, as a date field writes it; empty: without end. */
  until: string;
};

export const NO_REPEAT: RepeatValues = { every: 'never', days: [], isChosen: false, until: '' };

/** Which occurrence of its weekday in the month a day is: 1 to 4, or -1 for the last. */
export function placeInMonth(day: Date): { nth: number; weekday: Weekday } {
  const nth = Math.ceil(day.getDate() / 7);
  return { nth: nth > 4 ? -1 : nth, weekday: weekdayOf(day) };
}

/** The name of the window's time zone. */
export const placeName = (nth: number) =>
  (['last', 'first', 'second', 'third', 'fourth'] as const)[Math.max(0, nth)] ?? 'last';

export const weekdayOf = (day: Date): Weekday => WEEKDAYS[(day.getDay() + 6) % 7] ?? 'MO';

/** The window before the change: its recurrence and its start (Unix seconds). */
export type Before = { repeat: Repeat | null; scheduled_start: number };

const DAY_MS = 86_400_000;

/** The zone whose days a weekly rule names; undefined: the reader's. */
export const zoneOfDays = (before: Before | null): string | undefined =>
  before?.repeat && rhythmOf(before.repeat.rrule).every === 'week' ? before.repeat.timezone : undefined;

function weekdayIn(unix: number, timeZone: string | undefined): Weekday {
  const name = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone }).format(unix * 1_000);
  return name.slice(0, 2).toUpperCase() as Weekday;
}

/** Days since 1970, in a time zone. */
function dayNumber(unix: number, timeZone: string | undefined): number {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone }).format(unix * 1_000);
  return new Date(day).getTime() / DAY_MS;
}

/** The weekday of a start, as a weekly rule counts it. */
export const dayOfStart = (start: number, before: Before | null): Weekday =>
  weekdayIn(start, zoneOfDays(before));

/** How many days the start has moved from that of the stored window. */
const movedDays = (start: number, before: Before | null): number =>
  before === null
    ? 0
    : dayNumber(start, zoneOfDays(before)) - dayNumber(before.scheduled_start, zoneOfDays(before));

/** The days on which a weekly window recurs that starts at `start` (docs/rules/confirmation.md#a-rule-that-moves-along). */
export function daysOf(
  { days, isChosen }: Pick<RepeatValues, 'days' | 'isChosen'>,
  start: number,
  before: Before | null,
): Weekday[] {
  if (days.length === 0) return [dayOfStart(start, before)];
  const moved = isChosen ? 0 : movedDays(start, before);
  const from = (day: Weekday) => WEEKDAYS[(((WEEKDAYS.indexOf(day) - moved) % 7) + 7) % 7];
  return WEEKDAYS.filter((day) => days.includes(from(day) as Weekday));
}

/** The values after a choice of days. The day of the start alone is the default again, as is no day at all. */
export function withDays(
  values: RepeatValues,
  days: Weekday[],
  start: number,
  before: Before | null,
): RepeatValues {
  const isDefault = days.length === 0 || (days.length === 1 && days[0] === dayOfStart(start, before));
  return {
    ...values,
    days: isDefault ? [] : WEEKDAYS.filter((day) => days.includes(day)),
    isChosen: !isDefault,
  };
}

/** What the form says about the days beside the start: that they moved along, or that the start is on none of them. */
export function saidOfDays(
  values: RepeatValues,
  start: number,
  before: Before | null,
): 'moved' | 'stay' | 'wrong' | null {
  if (values.every !== 'week') return null;
  if (!values.isChosen) return values.days.length > 0 && movedDays(start, before) !== 0 ? 'moved' : null;
  if (values.days.includes(dayOfStart(start, before))) return null;
  return before?.repeat ? 'wrong' : 'stay';
}

/** The start of the first window on one of the days, at or after `start`. */
export function firstOn(days: readonly Weekday[], start: number): number {
  const time = new Date(start * 1_000);
  while (!days.includes(weekdayOf(time)) && time.getTime() < start * 1_000 + 7 * DAY_MS)
    time.setDate(time.getDate() + 1);
  return Math.floor(time.getTime() / 1_000);
}

/** The recurrence to send for a window that starts at `start` (Unix seconds); null: it does not recur. */
export function repeatOf(
  values: RepeatValues,
  start: number,
  before: Before | null,
  timezone: string,
): Repeat | null {
  if (values.every === 'never') return null;
  const was = before?.repeat ?? null;
  const followsStart = values.every === 'monthDay' || values.every === 'monthWeekday';
  const isMoved = followsStart && start !== before?.scheduled_start;
  if (was !== null && !isMoved && isSame(values, repeatValuesOf(was))) return was;
  const until = values.until === '' ? null : endOfDay(values.until);
  if (values.every === 'other') return was && { ...was, until_unix: until };
  if (values.every === 'week') {
    const rrule = `FREQ=WEEKLY;BYDAY=${daysOf(values, start, before).join(',')}`;
    return { rrule, timezone: zoneOfDays(before) ?? timezone, until_unix: until };
  }
  return { rrule: ruleOf(values.every, new Date(start * 1_000)), timezone, until_unix: until };
}

function ruleOf(every: RepeatValues['every'], start: Date): string {
  switch (every) {
    case 'monthDay':
      return `FREQ=MONTHLY;BYMONTHDAY=${start.getDate()}`;
    case 'monthWeekday': {
      const { nth, weekday } = placeInMonth(start);
      return `FREQ=MONTHLY;BYDAY=${nth}${weekday}`;
    }
    default:
      return 'FREQ=DAILY';
  }
}

/** The form values of a stored recurrence. */
export function repeatValuesOf(repeat: Repeat | null): RepeatValues {
  if (repeat === null) return NO_REPEAT;
  const until = repeat.until_unix == null ? '' : dayOf(new Date(repeat.until_unix * 1_000));
  return { ...rhythmOf(repeat.rrule), isChosen: false, until };
}

function rhythmOf(rrule: string): Pick<RepeatValues, 'every' | 'days'> {
  const days = /^FREQ=WEEKLY(?:;BYDAY=((?:MO|TU|WE|TH|FR|SA|SU)(?:,(?:MO|TU|WE|TH|FR|SA|SU))*))?$/.exec(
    rrule,
  );
  if (rrule === 'FREQ=DAILY') return { every: 'day', days: [] };
  if (days) return { every: 'week', days: (days[1]?.split(',') ?? []) as Weekday[] };
  if (/^FREQ=MONTHLY(;BYMONTHDAY=\d+)?$/.test(rrule)) return { every: 'monthDay', days: [] };
  if (/^FREQ=MONTHLY;BYDAY=(-1|[1-4])(MO|TU|WE|TH|FR|SA|SU)$/.test(rrule))
    return { every: 'monthWeekday', days: [] };
  return { every: 'other', days: [] };
}

const isSame = (a: RepeatValues, b: RepeatValues) =>
  a.every === b.every && a.until === b.until && [...a.days].sort().join() === [...b.days].sort().join();

const two = (n: number) => String(n).padStart(2, '0');
const dayOf = (day: Date) => `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;

function endOfDay(text: string): number | null {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const end = new Date(year, month - 1, day, 23, 59, 59).getTime();
  return Number.isNaN(end) ? null : Math.floor(end / 1_000);
}
