// Histograms that can be merged: bins that grow by a constant factor, so that a percentile read from one is off by a known
// share. Stored as one integer a bin that is not empty, `bin << 23 | count`, ascending; SQL that makes and merges the same
// form takes its numbers from here (src/series/rollup-histogram.ts).

/** One element a bin that is not empty, ascending: `bin << 23 | count`. */
export type Histogram = readonly number[];

/** A bin and how many values are in it, without a limit. */
export type CountedBin = readonly [bin: number, count: number];

/** Where bins 1, 2, … begin. Below the first lies bin 0: nothing, and everything negative. */
export type Bins = {
  starts: readonly number[];
  /** Values are taken as whole numbers. */
  whole: boolean;
};

const MAX_BINS = 255;

export const COUNT_BITS = 23;
/** A bin that is full stays full. */
export const MAX_BIN_COUNT = 2 ** COUNT_BITS - 1;

/** For latencies: every whole number up to 20, then growing by a tenth, to 8·10^10. Off by less than 5 %. */
export const LATENCY_BINS: Bins = { starts: wholeStarts(), whole: true };
/** For metrics, which are not whole numbers: from 0.01 to 9·10^10, each bin an eighth wider; bytes a second fit too. Off by at most 6.1 %. */
export const METRIC_BINS: Bins = {
  starts: Array.from({ length: MAX_BINS }, (_, i) => 0.01 * 1.125 ** i),
  whole: false,
};

function wholeStarts(): number[] {
  const starts = [1];
  while (starts.length < MAX_BINS) {
    const last = starts.at(-1) ?? 0;
    starts.push(Math.max(last + 1, Math.floor(last * 1.1)));
  }
  return starts;
}

/** The bin of a value. */
export function binOf(given: number, { starts, whole }: Bins): number {
  const value = whole ? Math.round(given) : given;
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The value that stands for a bin: as far from its first as from its last, by factor, or the whole number in its middle. */
export function middleOf(bin: number, { starts, whole }: Bins): number {
  const from = starts[bin - 1] ?? 0;
  const to = starts[bin] ?? from + 1;
  return whole ? Math.floor((from + to - 1) / 2) : Math.sqrt(from * to);
}

/** The histogram of some values. */
export function histogramOf(values: readonly number[], bins: Bins): Histogram {
  return packed(values.map((value) => [binOf(value, bins), 1]));
}

/** The histogram of everything that is in any of these, which have the same bins. */
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
  bins: Bins,
  most = Number.POSITIVE_INFINITY,
): number | null {
  return percentileOfCounts(histogram.map(unpacked), q, bins, most);
}

/** The same of bins in ascending order; of many histograms together one may have more than an element can count. */
export function percentileOfCounts(
  counts: readonly CountedBin[],
  q: number,
  bins: Bins,
  most = Number.POSITIVE_INFINITY,
): number | null {
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  const rank = Math.max(1, Math.ceil(q * all));
  let passed = 0;
  for (const [bin, count] of counts) {
    passed += count;
    if (passed >= rank) return Math.min(middleOf(bin, bins), most);
  }
  return null;
}

const unpacked = (element: number): CountedBin => [element >>> COUNT_BITS, element & MAX_BIN_COUNT];

function packed(counted: readonly CountedBin[]): Histogram {
  const counts = new Map<number, number>();
  for (const [bin, count] of counted) counts.set(bin, (counts.get(bin) ?? 0) + count);
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([bin, count]) => bin * 2 ** COUNT_BITS + Math.min(count, MAX_BIN_COUNT));
}
