// The rate limit for results of a probe token: the rate of its region's monitors, with room for a spool after an outage.
// Counted in this process's memory, like other limits (platform/http/rate-limits).
import { sql } from 'kysely';
import { spoolReachMs } from '../domain/spool.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';

/** Burst: the region's results of an hour, or at least this many. */
const MIN_AT_ONCE = 10_000;
const AT_ONCE_SECONDS = 3_600;
/** Refill: this many times the region's rate, or at least MIN_PER_SECOND. */
const CATCH_UP = 20;
const MIN_PER_SECOND = 100;
/** A region's rate is cached this long: monitors come and go slowly. */
const REFRESH_EVERY_MS = 30_000;

type Region = { atMs: number; perSecond: number; probes: number };
type Bucket = { atMs: number; left: number };
type From = { regionNo: number; tokenId: string };

export type ResultRateLimit = {
  /**
   * Charges `count` results to a token and lets `take` store them. 429 if there are too many; none is stored then. Nothing
   * is charged if storing fails.
   */
  count<T>(from: From, count: number, now: Date, take: () => Promise<T>): Promise<T>;
  /** The oldest result, in milliseconds, that a spool of the region's probes can hold. */
  earliestMs(regionNo: number, now: Date): Promise<number>;
};

/** `limited` false: no limit. */
export function makeResultRateLimit(db: Database, { limited }: { limited: boolean }): ResultRateLimit {
  const regions = new Map<number, Region>();
  const buckets = new Map<string, Bucket>();

  async function regionOf(regionNo: number, now: Date): Promise<Region> {
    const known = regions.get(regionNo);
    if (known && Math.abs(now.getTime() - known.atMs) < REFRESH_EVERY_MS) return known;
    const { rows } = await sql<{ perSecond: number; probes: number }>`
      SELECT coalesce(sum(1.0::float8 / interval_seconds), 0) AS "perSecond",
        (SELECT count(*)::int FROM probes WHERE region_no = ${regionNo} AND admission = 'admitted') AS probes
      FROM assignments WHERE region_no = ${regionNo} AND NOT removed`.execute(db);
    const region = { atMs: now.getTime(), perSecond: rows[0]?.perSecond ?? 0, probes: rows[0]?.probes ?? 0 };
    regions.set(regionNo, region);
    return region;
  }

  function bucketOf(tokenId: string, region: Region, now: Date): { bucket: Bucket; perSecond: number } {
    const most = Math.max(MIN_AT_ONCE, region.perSecond * AT_ONCE_SECONDS);
    const perSecond = Math.max(MIN_PER_SECOND, region.perSecond * CATCH_UP);
    const bucket = buckets.get(tokenId) ?? { atMs: now.getTime(), left: most };
    const passedMs = Math.max(0, now.getTime() - bucket.atMs);
    bucket.left = Math.min(most, bucket.left + (passedMs / 1000) * perSecond);
    bucket.atMs = now.getTime();
    buckets.set(tokenId, bucket);
    return { bucket, perSecond };
  }

  return {
    async count({ regionNo, tokenId }, count, now, take) {
      if (!limited) return take();
      const { bucket, perSecond } = bucketOf(tokenId, await regionOf(regionNo, now), now);
      if (count > bucket.left)
        return refuse(
          'rate_limited',
          `This probe token has sent more results than its region's monitors produce; keep these ${count} and send them later.`,
          { retryAfterSeconds: Math.max(1, Math.ceil((count - bucket.left) / perSecond)) },
        );
      bucket.left -= count;
      try {
        return await take();
      } catch (error) {
        bucket.left += count;
        throw error;
      }
    },
    async earliestMs(regionNo, now) {
      const { perSecond, probes } = await regionOf(regionNo, now);
      return now.getTime() - spoolReachMs(perSecond, probes);
    },
  };
}
