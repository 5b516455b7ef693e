import type { Counters } from './sources.ts';

/** Bytes per second. */
export type Rates = { net_rx_bps: number; net_tx_bps: number };

/** From the text of /proc/net/dev. */
export function countersIn(text: string): Counters {
  const counters: Counters = {};
  for (const line of text.split('\n').slice(2)) {
    const [, name, numbers] = /^ *(\S+?): *(.+)$/.exec(line) ?? [];
    if (name === undefined || numbers === undefined || name === 'lo') continue;
    const values = numbers.trim().split(/ +/).map(Number);
    counters[name] = { rx: values[0] ?? 0, tx: values[8] ?? 0 };
  }
  return counters;
}

/**
 * Traffic between two looks. A new interface has no rate yet; one whose counters went down was reset and counts from zero.
 * null: no time passed, or there is nothing to compare.
 */
export function ratesOf(before: Counters, after: Counters, seconds: number): Rates | null {
  const both = Object.entries(after).flatMap(([name, { rx, tx }]) => {
    const earlier = before[name];
    if (!earlier) return [];
    const anew = rx < earlier.rx || tx < earlier.tx;
    return [anew ? { rx, tx } : { rx: rx - earlier.rx, tx: tx - earlier.tx }];
  });
  if (!(seconds > 0) || both.length === 0) return null;
  return {
    net_rx_bps: both.reduce((sum, { rx }) => sum + rx, 0) / seconds,
    net_tx_bps: both.reduce((sum, { tx }) => sum + tx, 0) / seconds,
  };
}
