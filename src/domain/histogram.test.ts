import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Bins,
  binOf,
  COUNT_BITS,
  histogramOf,
  LATENCY_BINS,
  MAX_BIN_COUNT,
  METRIC_BINS,
  mergeHistograms,
  middleOf,
  percentileOf,
} from './histogram.ts';

const latency = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.integer({ min: 0, max: 60_000 }),
  fc.integer({ min: 0, max: 80_000_000_000 }),
);
const metric = fc.oneof(
  fc.double({ min: 0.01, max: 1, noNaN: true }),
  fc.double({ min: 0.01, max: 100, noNaN: true }),
  fc.double({ min: 0.01, max: 80_000_000_000, noNaN: true }),
);
const KINDS: [name: string, bins: Bins, value: fc.Arbitrary<number>, off: number][] = [
  ['latencies', LATENCY_BINS, latency, 0.05],
  ['metrics', METRIC_BINS, metric, 0.061],
];

/** Nearest rank, as PostgreSQL's percentile_disc has it. */
function exact(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(q * sorted.length)) - 1]!;
}

for (const [name, bins, value, off] of KINDS) {
  const { starts } = bins;

  test(`bins of ${name} are contiguous, and fit into the element type`, () => {
    for (const [i, start] of starts.entries()) if (i > 0) assert.ok(start > (starts[i - 1] ?? 0), `bin ${i}`);
    assert.ok(starts.length < 2 ** (31 - COUNT_BITS));
    assert.ok((starts.at(-1) ?? 0) > 8e10);
  });

  test(`a value of ${name} is in the bin whose middle is less than ${off * 100} % away`, () => {
    fc.assert(
      fc.property(value, (each) => {
        const bin = binOf(each, bins);
        assert.ok(each >= (starts[bin - 1] ?? 0) && each < (starts[bin] ?? Number.POSITIVE_INFINITY));
        assert.ok(Math.abs(middleOf(bin, bins) - each) <= each * off);
      }),
    );
  });

  test(`a merged histogram of ${name} equals the histogram of all values, in any order`, () => {
    fc.assert(
      fc.property(fc.array(fc.array(value, { maxLength: 30 }), { maxLength: 8 }), (parts) => {
        const of = (values: readonly number[]) => histogramOf(values, bins);
        const merged = mergeHistograms(parts.map(of));
        assert.deepEqual(merged, of(parts.flat()));
        assert.deepEqual(merged, mergeHistograms(parts.toReversed().map(of)));
        const [first = [], ...rest] = parts.map(of);
        assert.deepEqual(merged, mergeHistograms([first, mergeHistograms(rest)]));
      }),
    );
  });

  test(`a percentile of ${name} is within ${off * 100} % of the exact one, and never above the greatest value`, () => {
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 300 }),
        fc.constantFrom(0.5, 0.95, 0.99, 1),
        (values, q) => {
          const most = Math.max(...values);
          const estimate = percentileOf(histogramOf(values, bins), q, bins, most)!;
          const right = exact(values, q);
          assert.ok(estimate <= most);
          assert.ok(Math.abs(estimate - right) <= right * off, `${estimate} for ${right}`);
        },
      ),
    );
  });
}

test('small whole latencies are exact', () => {
  for (let each = 0; each <= 20; each++)
    assert.equal(middleOf(binOf(each, LATENCY_BINS), LATENCY_BINS), each);
});

test('a load of 0.7 is distinct from 1', () => {
  const p95 = percentileOf(histogramOf([0.7, 0.7, 0.7], METRIC_BINS), 0.95, METRIC_BINS) ?? 0;
  assert.ok(Math.abs(p95 - 0.7) < 0.05, String(p95));
});

test('an empty histogram has no percentile, and a full bin stays full', () => {
  assert.equal(percentileOf([], 0.95, LATENCY_BINS), null);
  const full = [(1 << COUNT_BITS) | MAX_BIN_COUNT];
  assert.deepEqual(mergeHistograms([full, full]), full);
});
