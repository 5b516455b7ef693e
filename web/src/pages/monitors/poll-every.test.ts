import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pollEvery } from './poll-every.ts';

const monitor = (interval_seconds: number, last_status: string | null = 'passed') => ({
  interval_seconds,
  last_status,
});

test('checks are read as often as they come, between 3 and 30 s', () => {
  assert.deepEqual(
    [1, 10, 60, 3_600].map((seconds) => pollEvery(monitor(seconds))),
    [3_000, 10_000, 30_000, 30_000],
  );
  assert.equal(pollEvery(monitor(60), monitor(20), monitor(300)), 20_000);
  assert.equal(pollEvery(), 30_000);
});

test('a monitor that fails is checked faster, so its checks are read as often', () => {
  assert.equal(pollEvery(monitor(60, 'failed')), 15_000);
  assert.equal(pollEvery(monitor(60, 'degraded')), 15_000);
  assert.equal(pollEvery(monitor(5, 'failed')), 5_000);
  assert.equal(pollEvery(monitor(300), monitor(60, 'failed')), 15_000);
  assert.equal(pollEvery(monitor(60, null)), 30_000);
});
