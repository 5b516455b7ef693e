// The places of windows in their series: a new time keeps them, also those whose window was called off alone.
import { daysOf, type MovedRule, movedRule } from '../domain/moved-rule.ts';
import { instantOf, localAt, normalRule, occurrencesOf } from '../domain/recurrence.ts';
import type { Span } from '../domain/spans.ts';
import type { Repeat } from './contract.ts';
import type { WindowRow } from './row.ts';
import { ruleOf, type SeriesRow } from './series.ts';

/** A window's place in its series, wherever it was moved alone. */
export const placeMs = ({ occurs_at, scheduled_start }: WindowRow) =>
  (occurs_at ?? scheduled_start).getTime();

/** The last second before a window's place in its series. */
export const beforePlace = (window: WindowRow) => placeMs(window) - 1000;

/** How places go along; the zone is that of the old rule. */
export type Move = { rule: MovedRule; timezone: string };

/** Where the windows of a series go, from the first that has not begun. */
export type Places = {
  /** In order. One whose window was cancelled or deleted alone counts, so no other window moves there. */
  all: number[];
  /** How each goes along; null: a new rule brings other days, and the windows take them in order. */
  move: Move | null;
};

/**
 * `from` and `to`: the place of the window that is moved, and where it moves, on the clock of the zone before and after. null
 * where the rule cannot go along and no other is given.
 */
export function placesOf(
  series: SeriesRow,
  ahead: readonly WindowRow[],
  repeat: Repeat | null,
  [from, to]: [from: Temporal.PlainDateTime, to: Temporal.PlainDateTime],
): Places | null {
  const own = ahead.map(placeMs);
  const rule = movedRule(series.rrule, from, to);
  if (rule === null && repeat === null) return null;
  const given = repeat && daysOf(normalRule(repeat.rrule));
  const isAlong = rule !== null && (given === null || given === daysOf(rule.rrule));
  const isOther = given !== null && given !== daysOf(series.rrule);
  if (own[0] === undefined || (isOther && !isAlong)) return { all: own, move: null };
  const made = occurrencesOf(ruleOf(series), own[0], series.made_until.getTime()).map(({ fromMs }) => fromMs);
  const all = [...new Set([...made, ...own])].sort((a, b) => a - b);
  return { all, move: isAlong ? { rule, timezone: series.timezone } : null };
}

/** Where a place moves to in the zone of the new rule; null where the month lacks the day, or the clock skips the time. */
export function targetMs(move: Move, place: number, timezone: string): number | null {
  const target = move.rule.moved(localAt(place, move.timezone));
  return target && instantOf(target, timezone);
}

export const targetsOf = ({ all, move }: Places, timezone: string): (number | null)[] =>
  all.map((place) => move && targetMs(move, place, timezone));

/** The last of them; 0 where there is none. */
export const lastTargetMs = (places: Places, timezone: string) =>
  Math.max(0, ...targetsOf(places, timezone).map((target) => target ?? 0));

/** The new span of each place, and the spans at which no window was planned. */
export function spansByPlace(places: Places, timezone: string, spans: readonly Span[]) {
  const targets = places.move ? targetsOf(places, timezone) : spans.map(({ fromMs }) => fromMs);
  const byStart = new Map(spans.map((span) => [span.fromMs, span]));
  const byPlace = new Map(places.all.map((place, i) => [place, byStart.get(targets[i] ?? Number.NaN)]));
  const kept = new Set(byPlace.values());
  return { byPlace, fresh: spans.filter((span) => !kept.has(span)) };
}
