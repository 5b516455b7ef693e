// The places of windows in their series: a new time keeps them, also those whose window was called off alone.
import { normalRule, occurrencesOf } from '../domain/recurrence.ts';
import type { Repeat } from './contract.ts';
import type { WindowRow } from './row.ts';
import { ruleOf, type SeriesRow } from './series.ts';

/** A window's place in its series, wherever it was moved alone. */
export const placeMs = ({ occurs_at, scheduled_start }: WindowRow) =>
  (occurs_at ?? scheduled_start).getTime();

/**
 * The places that occurrences of the new rule take, in order. A place whose window was cancelled or deleted alone counts, so no
 * other window moves there. A rule with other days has no such places: only the windows count.
 */
export function placesOf(series: SeriesRow, ahead: readonly WindowRow[], repeat: Repeat | null): number[] {
  const own = ahead.map(placeMs);
  const isOther = repeat !== null && daysOf(normalRule(repeat.rrule)) !== daysOf(series.rrule);
  if (isOther || own[0] === undefined) return own;
  const all = occurrencesOf(ruleOf(series), own[0], series.made_until.getTime()).map(({ fromMs }) => fromMs);
  return [...new Set([...all, ...own])].sort((a, b) => a - b);
}

/** A rule without its end. */
const daysOf = (rrule: string) =>
  rrule
    .split(';')
    .filter((part) => !/^(COUNT|UNTIL)=/.test(part))
    .sort()
    .join(';');
