import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SERIES_RANGES } from './names.ts';
import {
  BUCKET_STEPS,
  bucketOf,
  bucketStart,
  freeWindow,
  MAX_BUCKETS,
  SERIES,
  seriesWindow,
} from './series.ts';

test('every range has its length and its bucket', () => {
  const table = SERIES_RANGES.map(
    (range) => `${range} ${SERIES[range].seconds / 3600} h ${SERIES[range].bucketSeconds}`,
  );
  assert.deepEqual(table, [
    '3h 3 h 60',
    '6h 6 h 120',
    '12h 12 h 300',
    '1d 24 h 600',
    '7d 168 h 3600',
    '14d 336 h 7200',
    '30d 720 h 14400',
    '90d 2160 h 43200',
  ]);
});

test('a bucket starts at a multiple of its length', () => {
  assert.deepEqual(
    [599, 600, 1199].map((at) => bucketStart(at, 600)),
    [0, 600, 600],
  );
});

test('the window of a range ends now, starts with a whole bucket, and covers the range', () => {
  for (const range of SERIES_RANGES) {
    const { fromUnix, toUnix, bucketSeconds } = seriesWindow(range, 1_800_000_123);
    assert.equal(toUnix, 1_800_000_123);
    assert.equal(fromUnix % bucketSeconds, 0);
    const covered = toUnix - fromUnix - SERIES[range].seconds;
    assert.ok(covered >= 0 && covered < bucketSeconds);
  }
});

const KEPT = { checks: 100, hours: 100 };
const NOW = 1_800_000_123;

test('a custom range as long as a named one has its buckets', () => {
  for (const range of SERIES_RANGES) {
    const { seconds, bucketSeconds } = SERIES[range];
    assert.equal(bucketOf(NOW - seconds, NOW, NOW, KEPT), bucketSeconds, range);
    assert.deepEqual(freeWindow(NOW - seconds, NOW + 5, NOW, KEPT), seriesWindow(range, NOW));
  }
});

for (const [what, fromDays, toDays, kept, bucketSeconds] of [
  ['three minutes of today', 0.5, 0.5 - 180 / 86_400, KEPT, 1],
  ['a day of which single checks are kept', 8, 7, KEPT, 600],
  ['an hour older than the checks that the plan shows', 8, 8 - 1 / 24, { checks: 7, hours: 100 }, 3600],
  ['an hour older than all hours', 101, 101 - 1 / 24, KEPT, 43_200],
  ['all that is kept', 400, 0, KEPT, 172_800],
] as const)
  test(`the buckets of ${what} are ${bucketSeconds} s long`, () => {
    const at = (daysAgo: number) => NOW - daysAgo * 86_400;
    assert.equal(bucketOf(at(fromDays), at(toDays), NOW, kept), bucketSeconds);
  });

test('a custom window covers the range with whole buckets, not too many, up to now at most', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 400 * 86_400 }),
      fc.integer({ min: 1, max: 400 * 86_400 }),
      fc.integer({ min: 2, max: 100 }),
      (ago, length, checks) => {
        const [from, to] = [NOW - ago, NOW - ago + length];
        const { fromUnix, toUnix, bucketSeconds } = freeWindow(from, to, NOW, { checks, hours: 100 });
        const end = Math.min(to, NOW);
        assert.equal(fromUnix % bucketSeconds, 0);
        assert.ok(toUnix % bucketSeconds === 0 || toUnix === NOW);
        assert.ok(fromUnix <= from && from - fromUnix < bucketSeconds);
        assert.ok(toUnix >= end && toUnix - end < bucketSeconds && toUnix <= NOW);
        assert.ok(Math.ceil((toUnix - fromUnix) / bucketSeconds) <= MAX_BUCKETS + 1);
        if (ago > checks * 86_400) assert.ok(bucketSeconds >= 3600);
        if (ago > 100 * 86_400) assert.ok(bucketSeconds >= 43_200);
      },
    ),
  );
});

test('every rolled-up bucket consists of whole buckets of the roll-up below', () => {
  for (const step of BUCKET_STEPS)
    for (const tier of [600, 3600, 43_200])
      if (step >= tier) assert.equal(step % tier, 0, `${step} of ${tier}`);
});
