import { hash32 } from './hash.ts';

/**
 * The offset in its interval at which a monitor is checked, in milliseconds from 0 up to but not including `intervalMs`: the
 * same after every restart, and spread evenly over all monitors (docs/rules/regions-and-probes.md#rhythm).
 */
export function offsetMs(monitorId: string, intervalMs: number): number {
  return Math.floor((hash32(monitorId) / 2 ** 32) * intervalMs);
}

/** The next instant after `afterMs` (never that one itself) at which a check is due: t ≡ offset (mod interval). */
export function nextDueMs(offset: number, intervalMs: number, afterMs: number): number {
  return (Math.floor((afterMs - offset) / intervalMs) + 1) * intervalMs + offset;
}
