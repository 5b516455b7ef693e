// Lays out a month as weeks, and windows as bars over their days. Days are in the reader's time zone, also across a change
// of the clocks.
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';

/** Year and month (1 to 12). */
export type Month = { year: number; month: number };
export type Bar = {
  window: MaintenanceWindow;
  /** First column (0 to 6) and number of columns. */
  column: number;
  span: number;
  track: number;
  /** Whether the window starts and ends in this week. */
  begins: boolean;
  ends: boolean;
};
export type Week = { days: Date[]; bars: Bar[]; tracks: number };

export const monthOf = (date: Date): Month => ({ year: date.getFullYear(), month: date.getMonth() + 1 });

export function stepMonth({ year, month }: Month, by: number): Month {
  return monthOf(new Date(year, month - 1 + by, 1));
}

/** `2026-11`, as in addresses; null for anything else. */
export function readMonth(text: unknown): Month | null {
  const found = typeof text === 'string' ? /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) : null;
  return found ? { year: Number(found[1]), month: Number(found[2]) } : null;
}
export const writeMonth = ({ year, month }: Month): string => `${year}-${String(month).padStart(2, '0')}`;

const startOf = (day: Date) => Math.floor(day.getTime() / 1000);
const dayAfter = (day: Date, by = 1) => new Date(day.getFullYear(), day.getMonth(), day.getDate() + by);

/** The weeks that overlap a month; `firstDay` of the week: 1 Monday to 7 Sunday. */
export function weeksOf({ year, month }: Month, firstDay: number): Date[][] {
  const first = new Date(year, month - 1, 1);
  const back = (first.getDay() - firstDay + 7) % 7;
  const weeks: Date[][] = [];
  for (let start = dayAfter(first, -back); start < new Date(year, month, 1); start = dayAfter(start, 7))
    weeks.push(Array.from({ length: 7 }, (_, i) => dayAfter(start, i)));
  return weeks;
}

/** The windows of a week as bars: earlier and longer ones on top, without overlaps. */
export function layOutWeek(days: Date[], windows: readonly MaintenanceWindow[]): Week {
  const edges = [...days, dayAfter(days[6] ?? new Date())].map(startOf);
  const [from = 0, until = 0] = [edges[0], edges[7]];
  const own = windows
    .filter((window) => window.scheduled_start < until && window.scheduled_end > from)
    .sort((a, b) => a.scheduled_start - b.scheduled_start || b.scheduled_end - a.scheduled_end);
  const freeFrom: number[] = [];
  const bars = own.map((window): Bar => {
    const column = Math.max(
      0,
      edges.findLastIndex((edge) => edge <= window.scheduled_start),
    );
    const next = edges.findIndex((edge) => edge >= window.scheduled_end);
    const end = next === -1 ? 7 : next;
    const found = freeFrom.findIndex((free) => free <= column);
    const track = found === -1 ? freeFrom.length : found;
    freeFrom[track] = end;
    return {
      window,
      column,
      span: Math.max(1, end - column),
      track,
      begins: window.scheduled_start >= from,
      ends: window.scheduled_end <= until,
    };
  });
  return { days, bars, tracks: freeFrom.length };
}

/** The windows that overlap a month, the earliest first. */
export function inMonth({ year, month }: Month, windows: readonly MaintenanceWindow[]): MaintenanceWindow[] {
  const [from, until] = [new Date(year, month - 1, 1), new Date(year, month, 1)].map(startOf);
  return windows
    .filter((each) => each.scheduled_start < (until ?? 0) && each.scheduled_end > (from ?? 0))
    .sort((a, b) => a.scheduled_start - b.scheduled_start);
}

/** The first day of the week for a language: 1 Monday to 7 Sunday. */
export function firstDayOfWeek(language: string): number {
  const locale = new Intl.Locale(language) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
}
