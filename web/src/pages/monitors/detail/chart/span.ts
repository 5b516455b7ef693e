// The chart's range as URL parameters, and the arithmetic of moving and zooming. Unix seconds.
import { SERIES_RANGES, type SeriesRange } from '#src/domain/names.ts';

/** A custom range: [from, to). */
export type Span = { from: number; to: number };

/** Either a range that ends now, or a custom one; neither: the last range that was chosen. */
export type ChartSearch = {
  range?: SeriesRange;
  from?: number;
  to?: number;
  lines?: 'percentiles';
  compare?: 'week';
  view?: 'table';
};

/** The shortest range: nothing is visible in less. */
export const SHORTEST_SECONDS = 60;
/** The longest range that the API accepts. */
export const LONGEST_SECONDS = 400 * 86_400;
export const WEEK_SECONDS = 7 * 86_400;

const instant = (value: unknown): number | null => {
  const given = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof given === 'number' && Number.isSafeInteger(given) && given >= 0 ? given : null;
};

/**
 * Parses URL parameters; drops others. A custom range wins over a named one, if the API would accept it: one that has begun, of
 * 400 days at most.
 */
export function readChartSearch(search: Record<string, unknown>, nowMs = Date.now()): ChartSearch {
  const range = SERIES_RANGES.find((each) => each === search.range);
  const [from, to] = [instant(search.from), instant(search.to)];
  const isFree =
    from !== null && to !== null && from < to && to - from <= LONGEST_SECONDS && from < nowMs / 1000;
  return {
    ...(isFree ? { from, to } : range === undefined ? {} : { range }),
    ...(search.lines === 'percentiles' ? { lines: 'percentiles' } : {}),
    ...(search.compare === 'week' ? { compare: 'week' } : {}),
    ...(search.view === 'table' ? { view: 'table' } : {}),
  };
}

/** Rounds a range to whole seconds, limits its length, and ends it now at the latest. */
export function within({ from, to }: Span, now: number): Span {
  const wanted = Math.min(LONGEST_SECONDS, Math.max(SHORTEST_SECONDS, Math.round(to - from)));
  const middle = (from + to) / 2;
  const start = Math.max(0, Math.min(Math.round(middle - wanted / 2), now - wanted));
  return { from: start, to: start + wanted };
}

/** Zooms by a factor; the moment `about` keeps its place. */
export function zoomed({ from, to }: Span, factor: number, about: number, now: number): Span {
  const length = Math.min(LONGEST_SECONDS, Math.max(SHORTEST_SECONDS, (to - from) * factor));
  const share = Math.min(1, Math.max(0, (about - from) / (to - from)));
  return within({ from: about - share * length, to: about + (1 - share) * length }, now);
}

/** Moves by a share of the length; a negative one moves back. */
export const moved = ({ from, to }: Span, share: number, now: number): Span => {
  const by = (to - from) * share;
  return within({ from: from + by, to: to + by }, now);
};

/** The same length, a week before. */
export const weekBefore = ({ from, to }: Span): Span => ({
  from: from - WEEK_SECONDS,
  to: to - WEEK_SECONDS,
});
