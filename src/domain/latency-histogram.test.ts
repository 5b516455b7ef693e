import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  BIN_STARTS,
  binOf,
  COUNT_BITS,
  histogramOf,
  MOST_COUNTED,
  mergeHistograms,
  middleOf,
  percentileOf,
} from './latency-histogram.ts';

const value = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.integer({ min: 0, max: 60_000 }),
  fc.integer({ min: 0, max: 80_000_000_000 }),
);

/** Nearest rank, as PostgreSQL's percentile_disc has it. */
function exact(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(q * sorted.length)) - 1]!;
}

test('bins lie side by side, and fit into what an element has for them', () => {
  assert.equal(BIN_STARTS[0], 1);
  for (const [i, start] of BIN_STARTS.entries())
    if (i > 0) assert.ok(start > (BIN_STARTS[i - 1] ?? 0), `bin ${i}`);
  assert.ok(BIN_STARTS.length < 2 ** (31 - COUNT_BITS));
  assert.ok((BIN_STARTS.at(-1) ?? 0) > 8e10);
});

test('a value is in the bin whose middle is less than 5 % away', () => {
  fc.assert(
    fc.property(value, (each) => {
      const bin = binOf(each);
      assert.ok(each >= (BIN_STARTS[bin - 1] ?? 0) && each < (BIN_STARTS[bin] ?? Number.POSITIVE_INFINITY));
      assert.ok(Math.abs(middleOf(bin) - each) <= each * 0.05);
    }),
  );
});

test('small whole numbers are exact', () => {
  for (let each = 0; each <= 20; each++) assert.equal(middleOf(binOf(each)), each);
});

test('a merged histogram is the histogram of everything together, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.array(value, { maxLength: 30 }), { maxLength: 8 }), (parts) => {
      const merged = mergeHistograms(parts.map(histogramOf));
      assert.deepEqual(merged, histogramOf(parts.flat()));
      assert.deepEqual(merged, mergeHistograms(parts.toReversed().map(histogramOf)));
      const [first = [], ...rest] = parts.map(histogramOf);
      assert.deepEqual(merged, mergeHistograms([first, mergeHistograms(rest)]));
    }),
  );
});

test('a percentile is within 5 % of the exact one, and never beyond the greatest value', () => {
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 300 }),
      fc.constantFrom(0.5, 0.95, 0.99, 1),
      (values, q) => {
        const most = Math.max(...values);
        const estimate = percentileOf(histogramOf(values), q, most)!;
        const right = exact(values, q);
        assert.ok(estimate <= most);
        assert.ok(Math.abs(estimate - right) <= right * 0.05, `${estimate} for ${right}`);
      },
    ),
  );
});

test('nothing has no percentile, and a full bin stays full', () => {
  assert.equal(percentileOf([], 0.95), null);
  const full = [(1 << COUNT_BITS) | MOST_COUNTED];
  assert.deepEqual(mergeHistograms([full, full]), full);
});
