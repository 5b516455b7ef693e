import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  LONGEST_SECONDS,
  moved,
  readChartSearch,
  SHORTEST_SECONDS,
  type Span,
  within,
  zoomed,
} from './span.ts';

const NOW = 1_800_000_000;
const span = fc
  .tuple(fc.integer({ min: NOW - LONGEST_SECONDS, max: NOW - SHORTEST_SECONDS }), fc.nat())
  .map(([from, more]): Span => {
    const most = NOW - from - SHORTEST_SECONDS;
    return { from, to: from + SHORTEST_SECONDS + (most === 0 ? 0 : more % (most + 1)) };
  });

for (const [address, found] of [
  [{}, {}],
  [{ range: '7d' }, { range: '7d' }],
  [{ range: '8d', view: 'chart', lines: 'p95', compare: 'year' }, {}],
  [
    { from: 100, to: 200 },
    { from: 100, to: 200 },
  ],
  [
    { from: '100', to: '200', range: '7d' },
    { from: 100, to: 200 },
  ],
  [{ from: 200, to: 100, range: '7d' }, { range: '7d' }],
  [{ from: 100 }, {}],
  [{ from: 1.5, to: 200 }, {}],
  [{ from: 0, to: LONGEST_SECONDS + 1 }, {}],
  [
    { from: NOW - 10, to: NOW + 10 },
    { from: NOW - 10, to: NOW + 10 },
  ],
  [{ from: NOW, to: NOW + 10, range: '7d' }, { range: '7d' }],
  [{ from: '99999999999', to: '99999999999999' }, {}],
  [
    { view: 'table', lines: 'percentiles', compare: 'week' },
    { view: 'table', lines: 'percentiles', compare: 'week' },
  ],
] as const)
  test(`the address ${JSON.stringify(address)} is parsed as ${JSON.stringify(found)}`, () => {
    assert.deepEqual(readChartSearch(address, NOW * 1000), found);
  });

test('any request gives whole seconds, a valid length, and no future', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, min: -1e10, max: 1e10 }),
      fc.double({ noNaN: true, min: 0, max: 1e9 }),
      (from, length) => {
        const shown = within({ from, to: from + length }, NOW);
        assert.ok(Number.isInteger(shown.from) && Number.isInteger(shown.to));
        const seconds = shown.to - shown.from;
        assert.ok(seconds >= SHORTEST_SECONDS && seconds <= LONGEST_SECONDS);
        assert.ok(shown.from >= 0 && shown.to <= NOW);
      },
    ),
  );
});

test('a valid range is unchanged', () => {
  fc.assert(fc.property(span, (given) => assert.deepEqual(within(given, NOW), given)));
});

test('zooming in keeps the moment under the cursor in place, and stays within the range', () => {
  fc.assert(
    fc.property(span, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
      const length = given.to - given.from;
      const about = given.from + share * length;
      const near = zoomed(given, 0.5, about, NOW);
      assert.ok(near.from >= given.from - 1 && near.to <= given.to + 1);
      assert.ok(Math.abs(near.to - near.from - Math.max(SHORTEST_SECONDS, length / 2)) <= 1);
      if (length >= 2 * SHORTEST_SECONDS)
        assert.ok(Math.abs(about - near.from - share * (near.to - near.from)) <= 1);
    }),
  );
});

test('zooming in and out again gives the same range, unless now was in the way', () => {
  fc.assert(
    fc.property(span, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
      fc.pre(given.to - given.from >= 2 * SHORTEST_SECONDS);
      const about = given.from + share * (given.to - given.from);
      const again = zoomed(zoomed(given, 0.5, about, NOW), 2, about, NOW);
      assert.ok(Math.abs(again.from - given.from) <= 3 && Math.abs(again.to - given.to) <= 3);
    }),
  );
});

test('moving keeps the length, and ends at now', () => {
  fc.assert(
    fc.property(span, fc.double({ min: -2, max: 2, noNaN: true }), (given, share) => {
      const there = moved(given, share, NOW);
      assert.equal(there.to - there.from, given.to - given.from);
      assert.ok(there.to <= NOW);
    }),
  );
});
