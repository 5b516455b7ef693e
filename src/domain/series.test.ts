import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SERIES_RANGES } from './names.ts';
import { bucketStart, SERIES, seriesWindow } from './series.ts';

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

test('a bucket begins at a multiple of its length', () => {
  assert.deepEqual(
    [599, 600, 1199].map((at) => bucketStart(at, 600)),
    [0, 600, 600],
  );
});

test('the window of a range ends now, begins with a whole bucket, and covers the range', () => {
  for (const range of SERIES_RANGES) {
    const { fromUnix, toUnix, bucketSeconds } = seriesWindow(range, 1_800_000_123);
    assert.equal(toUnix, 1_800_000_123);
    assert.equal(fromUnix % bucketSeconds, 0);
    const covered = toUnix - fromUnix - SERIES[range].seconds;
    assert.ok(covered >= 0 && covered < bucketSeconds);
  }
});
