// Converts series points for uPlot: a column of timestamps and a column of latencies per region. Tells gaps from long
// intervals.
import type { Series } from '#src/series/contract.ts';

export type Bucket = { avg: number | null; max: number | null; up: number; down: number; degraded: number };

export type ChartData = {
  /** Bucket starts, Unix seconds, without holes. */
  xs: number[];
  regions: string[];
  /** Per region and bucket: milliseconds, null for a gap, undefined where the line may continue. */
  lines: (number | null | undefined)[][];
  /** Per bucket: the points of the regions, in their order. */
  buckets: (Bucket | undefined)[][];
  /** Failed checks of all regions per bucket. */
  down: number[];
  /** Fraction of the checks of all regions that failed, per bucket. */
  failed: number[];
  /** The comparison, a faint line, in the form of `lines`. */
  compared?: (number | null | undefined)[];
};

/** The parts of a series that a chart needs. */
type Laid = Pick<Series, 'from_unix' | 'to_unix' | 'bucket_seconds' | 'points'>;

/** The chart spans at least this many buckets, however young the monitor is. */
const MIN_POINTS = 30;

/** The start of the chart: that of the range, or the first check of a younger monitor. */
function beginning(series: Laid, whole: boolean): number {
  const step = series.bucket_seconds;
  const first = Math.floor(series.from_unix / step) * step;
  if (whole) return first;
  const last = Math.floor(series.to_unix / step) * step;
  const oldest = Math.min(...series.points.map((point) => point.bucket_unix));
  return Math.max(first, Math.min(oldest, last - (MIN_POINTS - 1) * step));
}

/**
 * Lays a series out over its range; `whole`: also over the part before the first check. Silence longer than three intervals
 * is a gap; a shorter one is normal.
 */
export function chartData(series: Laid, intervalSeconds: number, whole = false): ChartData {
  const step = series.bucket_seconds;
  const first = beginning(series, whole);
  const count = Math.max(1, Math.ceil((series.to_unix - first + (whole ? 0 : 1)) / step));
  const xs = Array.from({ length: count }, (_, at) => first + at * step);
  const regions = [...new Set(series.points.map((point) => point.region ?? ''))].sort();
  const buckets: (Bucket | undefined)[][] = regions.map(() => new Array(count).fill(undefined));
  const down: number[] = new Array(count).fill(0);
  const all: number[] = new Array(count).fill(0);
  for (const point of series.points) {
    const at = (point.bucket_unix - first) / step;
    if (!Number.isInteger(at) || at < 0 || at >= count) continue;
    buckets[regions.indexOf(point.region ?? '')]![at] = {
      avg: point.avg_ms,
      max: point.max_ms,
      up: point.up,
      down: point.down,
      degraded: point.degraded,
    };
    down[at] = (down[at] ?? 0) + point.down;
    all[at] = (all[at] ?? 0) + point.up + point.degraded + point.down;
  }
  const longest = Math.max(step, intervalSeconds * 3);
  const lines = buckets.map((row) => lineOf(row, step, longest));
  const failed = down.map((count, at) => (count === 0 ? 0 : count / (all[at] ?? count)));
  return { xs, regions, lines, buckets, down, failed };
}

function lineOf(row: (Bucket | undefined)[], step: number, longest: number): (number | null | undefined)[] {
  const line: (number | null | undefined)[] = row.map((bucket) =>
    bucket === undefined ? undefined : bucket.avg,
  );
  let last = -1;
  for (const [at, value] of line.entries()) {
    if (value === undefined) continue;
    if (last >= 0 && (at - last) * step > longest + step) line.fill(null, last + 1, at);
    last = at;
  }
  return line;
}

/** Indexes of values without a neighbour to draw a line to: they need a dot to be visible. */
export function isolatedPoints(line: readonly (number | null | undefined)[]): number[] {
  const said = line.flatMap((value, at) => (value === undefined ? [] : [{ value, at }]));
  return said
    .filter(
      ({ value }, n) =>
        value !== null && (said[n - 1]?.value ?? null) === null && (said[n + 1]?.value ?? null) === null,
    )
    .map(({ at }) => at);
}
