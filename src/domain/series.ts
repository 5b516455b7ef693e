import type { SeriesRange } from './names.ts';

/** Length and bucket of every series range, in seconds (docs/rules/figures.md#series). */
export const SERIES: Readonly<Record<SeriesRange, { seconds: number; bucketSeconds: number }>> = {
  '3h': { seconds: 10_800, bucketSeconds: 60 },
  '6h': { seconds: 21_600, bucketSeconds: 120 },
  '12h': { seconds: 43_200, bucketSeconds: 300 },
  '1d': { seconds: 86_400, bucketSeconds: 600 },
  '7d': { seconds: 604_800, bucketSeconds: 3600 },
  '14d': { seconds: 1_209_600, bucketSeconds: 7200 },
  '30d': { seconds: 2_592_000, bucketSeconds: 14_400 },
  '90d': { seconds: 7_776_000, bucketSeconds: 43_200 },
};

export const DEFAULT_SERIES_RANGE: SeriesRange = '1d';

/** Start of the bucket that holds the second `atUnix`: a multiple of `bucketSeconds`. */
export function bucketStart(atUnix: number, bucketSeconds: number): number {
  return Math.floor(atUnix / bucketSeconds) * bucketSeconds;
}

/**
 * The span of a range at `nowUnix`, in Unix seconds: [fromUnix, toUnix], from the start of a bucket, so that the first
 * bucket is complete, to now.
 */
export function seriesWindow(
  range: SeriesRange,
  nowUnix: number,
): { fromUnix: number; toUnix: number; bucketSeconds: number } {
  const { seconds, bucketSeconds } = SERIES[range];
  return { fromUnix: bucketStart(nowUnix - seconds, bucketSeconds), toUnix: nowUnix, bucketSeconds };
}
