// The lines of a chart: one per region, or percentiles of all regions; and the week before as a faint line.
import type { Series } from '#src/series/contract.ts';
import { type Bucket, type ChartData, chartData } from '../chart-data.ts';
import { WEEK_SECONDS } from './span.ts';

export const PERCENTILES = ['p50', 'p95', 'p99'] as const;

/** The series as chart lines, over its whole range however young the monitor is. */
export function linesOf(
  series: Series,
  intervalSeconds: number,
  { percentiles, before }: { percentiles: boolean; before: Series | undefined },
): ChartData {
  const regions = chartData(series, intervalSeconds, true);
  const data = percentiles ? inPercentiles(series, regions, intervalSeconds) : regions;
  if (before === undefined) return data;
  return {
    ...data,
    compared: comparedOf(before, data.xs, series.bucket_seconds, intervalSeconds, percentiles),
  };
}

/** Three lines for all regions together. Counts of checks are those of all regions, and stand with the first line. */
function inPercentiles(series: Series, regions: ChartData, intervalSeconds: number): ChartData {
  const lines = PERCENTILES.map((name) => {
    const points = (series.percentiles ?? []).map((each) => pointOf(each.bucket_unix, each[`${name}_ms`]));
    return chartData({ ...series, points }, intervalSeconds, true);
  });
  const count = regions.xs.length;
  const buckets = lines.map((line, n) =>
    Array.from({ length: count }, (_, at): Bucket | undefined => {
      const avg = line.lines[0]?.[at];
      const counts = n === 0 ? countsAt(regions, at) : NONE;
      // Where every check failed there is something to count, and nothing that was measured.
      if (avg == null && counts.up + counts.down + counts.degraded === 0) return undefined;
      return { avg: avg ?? null, max: null, ...counts };
    }),
  );
  return {
    ...regions,
    regions: [...PERCENTILES],
    lines: lines.map((line) => line.lines[0] ?? new Array(count).fill(undefined)),
    buckets,
  };
}

const NONE = { up: 0, down: 0, degraded: 0 };

/** All regions combined. */
export function countsAt({ buckets }: Pick<ChartData, 'buckets'>, at: number): typeof NONE {
  const sum = { ...NONE };
  for (const row of buckets)
    for (const key of ['up', 'down', 'degraded'] as const) sum[key] += row[at]?.[key] ?? 0;
  return sum;
}

const pointOf = (bucket_unix: number, value: number | null): Series['points'][number] => ({
  ...{ bucket_unix, region: null, up: 1, down: 0, degraded: 0 },
  ...{ avg_ms: value, max_ms: value },
});

/**
 * The week before, aligned with this one: averages of all regions, or the p95. Its buckets may be longer because of
 * retention: the line then connects their values.
 */
function comparedOf(
  before: Series,
  xs: readonly number[],
  step: number,
  intervalSeconds: number,
  percentiles: boolean,
): (number | null | undefined)[] {
  const points = (before.percentiles ?? []).map(({ bucket_unix, avg_ms, p95_ms }) =>
    pointOf(bucket_unix, percentiles ? p95_ms : avg_ms),
  );
  const laid = chartData({ ...before, points }, intervalSeconds, true);
  const compared = new Array<number | null | undefined>(xs.length).fill(undefined);
  for (const [i, x] of laid.xs.entries()) {
    const at = Math.floor((x + WEEK_SECONDS - (xs[0] ?? 0)) / step);
    const value = laid.lines[0]?.[i];
    if (at >= 0 && at < compared.length && value !== undefined) compared[at] = value;
  }
  return compared;
}
