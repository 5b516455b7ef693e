// The chart's settings: in the URL, so that they can be shared. Without a range there, the last named one that was chosen applies.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { SERIES_RANGES, type SeriesRange } from '#src/domain/names.ts';
import { SERIES } from '#src/domain/series.ts';
import { remember, remembered } from '#web/remembered.ts';
import { type ChartSearch, readChartSearch, type Span } from './span.ts';

const DEFAULT_RANGE: SeriesRange = '3h';

export type ChartView = {
  search: ChartSearch;
  /** The named range on screen, or the last one before a custom range. */
  range: SeriesRange;
  /** A custom range; null: the named one is shown. */
  free: Span | null;
  /** The requested range, whether or not its data has arrived. */
  asked: (now: number) => Span;
  chooseRange: (range: SeriesRange) => void;
  /** `isStep`: one of many steps by keys; the browser's Back skips them. */
  chooseSpan: (span: Span, isStep?: boolean) => void;
  change: (changed: { [Key in keyof ChartSearch]?: ChartSearch[Key] | undefined }) => void;
};

const known = (range: string | null | undefined): SeriesRange | undefined =>
  SERIES_RANGES.find((each) => each === range);

export function useChartSearch(): ChartView {
  const search = useSearch({ from: '/signed-in/o/$orgId/monitors/$monitorId' });
  const navigate = useNavigate();
  const range = search.range ?? known(remembered('range')) ?? DEFAULT_RANGE;
  const free =
    search.from === undefined || search.to === undefined ? null : { from: search.from, to: search.to };
  const go = (next: Record<string, unknown>, isStep = false) =>
    void navigate({
      to: '.',
      search: readChartSearch(next),
      replace: isStep,
      resetScroll: false,
      state: true,
    });
  return {
    search,
    range,
    free,
    asked: (now) => free ?? { from: now - SERIES[range].seconds, to: now },
    chooseRange: (chosen) => {
      remember('range', chosen);
      go({ ...search, from: undefined, to: undefined, range: chosen });
    },
    chooseSpan: (span, isStep) => go({ ...search, ...span }, isStep),
    change: (changed) => go({ ...search, ...changed }),
  };
}
