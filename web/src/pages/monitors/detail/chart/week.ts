// Uptime by hour of the week as levels that are distinct without colour.
import type { HoursOfWeek } from '#src/charts/contract.ts';

export type Hour = HoursOfWeek['hours'][number];

/** The lower bounds of the levels in percent; below the last is the worst. */
const STEPS = [100, 99.9, 99, 95] as const;
/** 0: no downtime; 4: more than 5 %. */
export type WeekLevel = 0 | 1 | 2 | 3 | 4;

/** null: no data. */
export function levelOf({ uptime_time_pct: pct }: Pick<Hour, 'uptime_time_pct'>): WeekLevel | null {
  if (pct === null) return null;
  const step = STEPS.findIndex((least) => pct >= least);
  return (step < 0 ? STEPS.length : step) as WeekLevel;
}

/** The hours of each day, starting with the first day of the week: 1 is Monday. */
export function daysFrom(hours: readonly Hour[], first: number): Hour[][] {
  const days = Array.from({ length: 7 }, (_, i) => ((first - 1 + i) % 7) + 1);
  return days.map((day) => hours.filter(({ weekday }) => weekday === day).sort((a, b) => a.hour - b.hour));
}

/** The hour with the lowest uptime, the first of several; null: no downtime, or no data. */
export function worstOf(hours: readonly Hour[]): Hour | null {
  const down = hours.filter(({ uptime_time_pct: pct }) => pct !== null && pct < 100);
  return down.reduce<Hour | null>(
    (worst, each) =>
      worst === null || (each.uptime_time_pct ?? 100) < (worst.uptime_time_pct ?? 100) ? each : worst,
    null,
  );
}

/** The cell that a key moves to, in a grid of rows × columns; null: the key does not move. */
export function placeAfter(
  key: string,
  { row, column }: { row: number; column: number },
): { row: number; column: number } | null {
  const to = (rows: number, columns: number) => ({
    row: Math.max(0, Math.min(6, row + rows)),
    column: Math.max(0, Math.min(23, column + columns)),
  });
  switch (key) {
    case 'ArrowLeft':
      return to(0, -1);
    case 'ArrowRight':
      return to(0, 1);
    case 'ArrowUp':
      return to(-1, 0);
    case 'ArrowDown':
      return to(1, 0);
    case 'Home':
      return to(0, -24);
    case 'End':
      return to(0, 24);
    default:
      return null;
  }
}
