/** Bytes of unsent results that a probe keeps on disk. */
export const SPOOL_BYTES = 256 * 1024 * 1024;
/** Size of the shortest result there. */
const MIN_RESULT_BYTES = 100;
/** The least reach: a probe with few checks keeps its results longer than this anyway. */
const MIN_REACH_MS = 86_400_000;
/** Allowance for a probe whose share was smaller than an even one. */
const UNEVEN = 2;

/**
 * How far back a full spool of a probe can reach, in milliseconds. `perSecond`: results of all monitors of its region;
 * `probes`: the number of probes that share them.
 */
export function spoolReachMs(perSecond: number, probes: number): number {
  if (perSecond <= 0) return Number.POSITIVE_INFINITY;
  const results = SPOOL_BYTES / MIN_RESULT_BYTES;
  return Math.max(MIN_REACH_MS, (UNEVEN * results * Math.max(1, probes) * 1000) / perSecond);
}
