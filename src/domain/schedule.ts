/**
 * Where in its interval a monitor is checked, in milliseconds from 0 up to but not including `intervalMs`: the same
 * after every restart, and spread evenly over all monitors (decisions, section 9).
 */
export function offsetMs(monitorId: string, intervalMs: number): number {
  return Math.floor((hash(monitorId) / 2 ** 32) * intervalMs);
}

/** The next instant after `afterMs` (never that one itself) at which a check is due: t ≡ offset (mod interval). */
export function nextDueMs(offset: number, intervalMs: number, afterMs: number): number {
  return (Math.floor((afterMs - offset) / intervalMs) + 1) * intervalMs + offset;
}

/** FNV-1a over the UTF-16 units, finished like MurmurHash3: FNV alone leaves the high bits, which are used, uneven. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
