// The time of a report as people name it (docs/rules/figures.md#period-of-a-report): months, quarters, years and days of a time
// zone, whatever daylight saving does to their length. Pure.
import type { Span } from './spans.ts';

const YEAR = /^(\d{4})$/;
const QUARTER = /^(\d{4})-Q([1-4])$/;
const MONTH = /^(\d{4})-(\d{2})$/;
const DAYS = /^(\d{4}-\d{2}-\d{2})(?:\/(\d{4}-\d{2}-\d{2}))?$/;

type Days = { first: Temporal.PlainDate; after: Temporal.PlainDate };

/** Why a text names no period; null: it names one. */
export function periodProblem(period: string): string | null {
  const days = daysOf(period);
  if (days === null)
    return 'must be a year (2026), a quarter (2026-Q4), a month (2026-10), a day (2026-10-03) or days, both included (2026-10-03/2026-10-17)';
  return Temporal.PlainDate.compare(days.first, days.after) < 0 ? null : 'ends before it begins';
}

/** From the first instant of its first day until the first instant after its last one; the period must be one. */
export function periodSpan(period: string, timezone: string): Span {
  const days = daysOf(period);
  if (days === null) throw new Error(`${period} is no period`);
  return { fromMs: startOf(days.first, timezone), untilMs: startOf(days.after, timezone) };
}

/** The month of an instant. */
export const monthAt = (ms: number, timezone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(ms)
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
    .toPlainYearMonth()
    .toString();

/** The first instant of a local day, also where daylight saving skips its midnight. */
const startOf = (day: Temporal.PlainDate, timezone: string): number =>
  day.toZonedDateTime(timezone).epochMilliseconds;

function daysOf(period: string): Days | null {
  const [, year, quarter] = QUARTER.exec(period) ?? [];
  if (quarter !== undefined) return months(Number(year), Number(quarter) * 3 - 2, 3);
  const [, whole] = YEAR.exec(period) ?? [];
  if (whole !== undefined) return months(Number(whole), 1, 12);
  const [, of, month] = MONTH.exec(period) ?? [];
  if (month !== undefined) return months(Number(of), Number(month), 1);
  const [, first, last] = DAYS.exec(period) ?? [];
  const [from, to] = [dayOf(first), dayOf(last ?? first)];
  return from && to ? { first: from, after: to.add({ days: 1 }) } : null;
}

function months(year: number, month: number, count: number): Days | null {
  if (year < 1970 || month < 1 || month > 12) return null;
  const first = Temporal.PlainDate.from({ year, month, day: 1 });
  return { first, after: first.add({ months: count }) };
}

/** A day of the calendar from 1970 on. */
function dayOf(text: string | undefined): Temporal.PlainDate | null {
  if (text === undefined || text < '1970') return null;
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    return null;
  }
}
