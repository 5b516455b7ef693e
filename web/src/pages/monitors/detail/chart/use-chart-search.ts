// What the chart of a monitor shows: in the address, so that it can be passed on, and with what was chosen last.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { SERIES_RANGES, type SeriesRange } from '#src/domain/names.ts';
import { SERIES } from '#src/domain/series.ts';
import { remember, remembered } from '#web/remembered.ts';
import { type ChartSearch, readChartSearch, type Span } from './span.ts';

const DEFAULT_RANGE: SeriesRange = '3h';

export type ChartView = {
  search: ChartSearch;
  /** The named range that is shown, or was before a free one. */
  range: SeriesRange;
  /** A free range; null: the named one is shown. */
  free: Span | null;
  /** What is asked for, whatever has been answered yet. */
  asked: (now: number) => Span;
  chooseRange: (range: SeriesRange) => void;
  /** `isStep`: of many, by keys; Back skips them. */
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
