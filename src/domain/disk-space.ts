// How much disk space is reserved for essential writes: alarms, deliveries, sign-in, the database's own log.

/** Bytes; `freeBytes` is what this process's programs may still use. */
export type DiskSpace = { freeBytes: number; totalBytes: number };

const MIB = 1024 * 1024;
const MIN_BYTES = 256 * MIB;
const MAX_BYTES = 2048 * MIB;
const PART = 0.02;
/** At most this part of a small disk is reserved. */
const MAX_FRACTION = 0.1;
/** The second limit is this much higher, so that a disk near the limit does not turn results on and off. */
const ENOUGH = 1.25;

/** Below so many free bytes a disk has too little: 2 % of it, 256 MiB at least, 2 GiB and a tenth of it at most. */
export function minFreeBytes(totalBytes: number): number {
  const usual = Math.min(Math.max(MIN_BYTES, totalBytes * PART), MAX_BYTES);
  return Math.min(usual, totalBytes * MAX_FRACTION);
}

/**
 * Below this many free bytes a probe writes nothing to its spool: in case it shares the database's disk, refused
 * results may take half of the reserve and never the rest.
 */
export const spoolStopsBelow = (totalBytes: number): number => minFreeBytes(totalBytes) / 2;

/** Whether a disk that had too little before (`was`), or had not, has too little now. */
export function isScarce({ freeBytes, totalBytes }: DiskSpace, was: boolean): boolean {
  return freeBytes < minFreeBytes(totalBytes) * (was ? ENOUGH : 1);
}
