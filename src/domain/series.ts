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
export function seriesWindow(range: SeriesRange, nowUnix: number): SeriesWindow {
  const { seconds, bucketSeconds } = SERIES[range];
  return { fromUnix: bucketStart(nowUnix - seconds, bucketSeconds), toUnix: nowUnix, bucketSeconds };
}

/** Bucket lengths of a free range: from ten minutes on multiples of those that are rolled up. */
export const BUCKET_STEPS = [
  1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400, 43_200, 86_400, 172_800,
] as const;
/** Most buckets of a free range; one more where its ends are moved to whole ones. */
export const MAX_BUCKETS = 200;
/** From this bucket on a series is made of roll-ups, below it of single checks. */
export const ROLLED_BUCKET_SECONDS = 600;
const HOUR_SECONDS = 3600;
const HALF_DAY_SECONDS = 43_200;
const DAY_SECONDS = 86_400;

/** For how many days there is what buckets are made of. */
export type KeptDays = { checks: number; hours: number };

/**
 * The bucket of a free range: the shortest of which it takes MAX_BUCKETS at most, and for which everything is kept since
 * its start. The longest one, where it takes even more of that.
 */
export function bucketOf(fromUnix: number, toUnix: number, nowUnix: number, kept: KeptDays): number {
  const agoDays = (nowUnix - fromUnix) / DAY_SECONDS;
  const least = agoDays <= kept.checks ? 1 : agoDays <= kept.hours ? HOUR_SECONDS : HALF_DAY_SECONDS;
  const steps = BUCKET_STEPS.filter((step) => step >= least);
  return steps.find((step) => toUnix - fromUnix <= step * MAX_BUCKETS) ?? steps.at(-1) ?? HALF_DAY_SECONDS;
}

/** A window of a series, in Unix seconds: [fromUnix, toUnix). One that ends now has now, too. */
export type SeriesWindow = { fromUnix: number; toUnix: number; bucketSeconds: number };

/** The window of a free range: its ends moved outwards to whole buckets, but no further than now. */
export function freeWindow(fromUnix: number, toUnix: number, nowUnix: number, kept: KeptDays): SeriesWindow {
  const until = Math.min(toUnix, nowUnix);
  const bucketSeconds = bucketOf(fromUnix, until, nowUnix, kept);
  return {
    fromUnix: bucketStart(fromUnix, bucketSeconds),
    toUnix: Math.min(nowUnix, Math.ceil(until / bucketSeconds) * bucketSeconds),
    bucketSeconds,
  };
}
