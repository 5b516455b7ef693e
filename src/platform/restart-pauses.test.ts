import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restartPauses } from './restart-pauses.ts';

test('delays double up to the maximum, and reset after a good run', () => {
  const pauseAfter = restartPauses({ firstMs: 100, longestMs: 500, wellAfterMs: 1_000 });
  const ran = [0, 10, 1_000, 0, 1_001, 0];
  assert.deepEqual(ran.map(pauseAfter), [100, 200, 400, 500, 100, 200]);
});
