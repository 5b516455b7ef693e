/** Bytes of unsent results that a probe keeps on disk. */
export const SPOOL_BYTES = 256 * 1024 * 1024;
/** What the shortest result takes there. */
const LEAST_RESULT_BYTES = 100;
/** Whoever has little to check keeps what it saw for longer than this anyway. */
const LEAST_REACH_MS = 86_400_000;
/** A probe's share may have been smaller than the even one. */
const UNEVEN = 2;

/**
 * How far back a full spool of a probe can reach, in milliseconds: `perSecond` is the number of results that all monitors
 * of its region make, shared by so many `probes`.
 */
export function spoolReachMs(perSecond: number, probes: number): number {
  if (perSecond <= 0) return Number.POSITIVE_INFINITY;
  const results = SPOOL_BYTES / LEAST_RESULT_BYTES;
  return Math.max(LEAST_REACH_MS, (UNEVEN * results * Math.max(1, probes) * 1000) / perSecond);
}
