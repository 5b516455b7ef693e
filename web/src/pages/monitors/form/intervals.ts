// Intervals to choose from, as the plan and the type allow.
import type { AnyForm } from '../types/type-form.ts';

const INTERVALS = [1, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 21_600, 43_200, 86_400];

/** Seconds; a value already `chosen` remains an option, even if a smaller plan no longer allows it. */
export function intervalsFor({ interval }: AnyForm, planLeast: number, chosen: number): number[] {
  const least = Math.max(planLeast, interval?.least ?? 0);
  const offered = INTERVALS.filter((seconds) => seconds >= least);
  return [...new Set([...offered, chosen])].sort((a, b) => a - b);
}
