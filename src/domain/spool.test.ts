import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SPOOL_BYTES, spoolReachMs } from './spool.ts';

const HOUR_MS = 3_600_000;

test('a spool covers the time in which results fill it, twice that for uneven shares', () => {
  const results = SPOOL_BYTES / 100;
  assert.equal(spoolReachMs(10, 1), (2 * results * 1000) / 10);
  assert.equal(spoolReachMs(30, 3), spoolReachMs(10, 1));
});

test('it covers at least a day, and without monitors any time', () => {
  assert.equal(spoolReachMs(1_000_000, 1), 24 * HOUR_MS);
  assert.equal(spoolReachMs(0, 1), Number.POSITIVE_INFINITY);
  assert.ok(spoolReachMs(0.1, 0) > 24 * HOUR_MS);
});

test('no result is smaller than the assumed minimum', () => {
  const least = { monitor_id: `mon_${'0'.repeat(26)}`, checked_at_ms: 1_700_000_000_000, status: 'up' };
  // A checksum of eight characters, a space, a newline.
  assert.ok(JSON.stringify(least).length + 10 >= 100);
});
