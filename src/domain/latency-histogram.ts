// A mergeable histogram: its bins grow by a tenth, so that a percentile read from it is off by less than 5 %. Stored as
// one integer per non-empty bin, `bin << 23 | count`, ascending; the SQL that builds and merges this form takes its
// constants from here (src/series/rollup-histogram.ts).

/** One element per non-empty bin, ascending: `bin << 23 | count`. */
export type Histogram = readonly number[];

const MOST_BINS = 255;
const GROWTH = 1.1;

export const COUNT_BITS = 23;
/** A bin that is full stays full. */
export const MOST_COUNTED = 2 ** COUNT_BITS - 1;

/**
 * The lower bounds of bins 1, 2, …: every whole number up to 20, then growing by a tenth, to 8·10^10 (for bits per
 * second as well as milliseconds). Bin 0 holds zero and negative values.
 */
export const BIN_STARTS: readonly number[] = binStarts();

function binStarts(): number[] {
  const starts = [1];
  while (starts.length < MOST_BINS) {
    const last = starts.at(-1) ?? 0;
    starts.push(Math.max(last + 1, Math.floor(last * GROWTH)));
  }
  return starts;
}

/** The bin of a value; values are taken as whole numbers. */
export function binOf(value: number): number {
  const whole = Math.round(value);
  let [low, high] = [0, BIN_STARTS.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((BIN_STARTS[middle] ?? 0) <= whole) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The whole number in the middle of a bin: less than 5 % from each that is in it. */
export function middleOf(bin: number): number {
  const from = BIN_STARTS[bin - 1] ?? 0;
  const to = BIN_STARTS[bin] ?? from + 1;
  return Math.floor((from + to - 1) / 2);
}

/** The histogram of some values. */
export function histogramOf(values: readonly number[]): Histogram {
  return packed(values.map((value) => [binOf(value), 1]));
}

/** The histogram of everything that is in any of these. */
export function mergeHistograms(histograms: readonly Histogram[]): Histogram {
  return packed(histograms.flatMap((histogram) => histogram.map(unpacked)));
}

/**
 * The value that a share `q` (0 to 1) of all counted is not above, by nearest rank; null where nothing is counted.
 * `most`, where it is known, is the greatest value there was: no percentile lies beyond it.
 */
export function percentileOf(
  histogram: Histogram,
  q: number,
  most = Number.POSITIVE_INFINITY,
): number | null {
  const bins = histogram.map(unpacked);
  const all = bins.reduce((sum, [, count]) => sum + count, 0);
  const rank = Math.max(1, Math.ceil(q * all));
  let passed = 0;
  for (const [bin, count] of bins) {
    passed += count;
    if (passed >= rank) return Math.min(middleOf(bin), most);
  }
  return null;
}

const unpacked = (element: number): [bin: number, count: number] => [
  element >>> COUNT_BITS,
  element & MOST_COUNTED,
];

function packed(counted: readonly (readonly [bin: number, count: number])[]): Histogram {
  const counts = new Map<number, number>();
  for (const [bin, count] of counted) counts.set(bin, (counts.get(bin) ?? 0) + count);
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([bin, count]) => bin * 2 ** COUNT_BITS + Math.min(count, MOST_COUNTED));
}
