// Browser-safe. Percentages as people read them, the same on every page and badge.

/**
 * The value cut, never rounded up, so that an outage always shows: three digits from 99.9 on, two from 99 on, one below.
 * 100 is exactly 100.
 */
export function cutPercent(value: number): { value: number; digits: number } {
  const digits = value >= 99.9 && value < 100 ? 3 : value >= 99 && value < 100 ? 2 : 1;
  // The smallest error of a product must not take a digit away: 99.1 * 100 is 9909.999…
  return { value: Math.floor(value * 10 ** digits + 1e-7) / 10 ** digits, digits };
}
