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
  /** The last day, as a date field writes it; empty: without end. */
  until: string;
};

export const NO_REPEAT: RepeatValues = { every: 'never', days: [], until: '' };

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
  return { rrule: ruleOf(values, new Date(start * 1_000)), timezone, until_unix: until };
}

function ruleOf({ every, days }: RepeatValues, start: Date): string {
  switch (every) {
    case 'week':
      return `FREQ=WEEKLY;BYDAY=${days.length === 0 ? weekdayOf(start) : WEEKDAYS.filter((day) => days.includes(day)).join(',')}`;
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
  return { ...rhythmOf(repeat.rrule), until };
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
