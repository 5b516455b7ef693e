import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelsOf } from './levels.ts';

test('the curve of a reading has its thresholds across it', () => {
  const config = { threshold: 90, degraded_threshold: 80 };
  assert.deepEqual(levelsOf({ type: 'agent', config }, 'pct'), [
    { value: 90, status: 'failed' },
    { value: 80, status: 'degraded' },
  ]);
  assert.deepEqual(
    levelsOf({ type: 'agent', config: { threshold: null, degraded_threshold: null } }, 'none'),
    [],
  );
});

test('the curve of a service has the maximum of what it shows', () => {
  const config = { max_cpu_pct: 150, max_mem_mb: 512 };
  assert.deepEqual(levelsOf({ type: 'service', config }, 'mb'), [{ value: 512, status: 'failed' }]);
  assert.deepEqual(levelsOf({ type: 'service', config }, 'pct'), [{ value: 150, status: 'failed' }]);
});

test('other monitors have none', () => {
  assert.deepEqual(levelsOf({ type: 'http', config: {} }, 'ms'), []);
});
