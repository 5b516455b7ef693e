import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelsOf } from './levels.ts';

test('the chart of a metric shows its thresholds', () => {
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

test('the chart of a service shows the maximum of its metric', () => {
  const config = { max_cpu_pct: 150, max_mem_mb: 512 };
  assert.deepEqual(levelsOf({ type: 'service', config }, 'mb'), [{ value: 512, status: 'failed' }]);
  assert.deepEqual(levelsOf({ type: 'service', config }, 'pct'), [{ value: 150, status: 'failed' }]);
});

test('other monitors have none', () => {
  assert.deepEqual(levelsOf({ type: 'http', config: {} }, 'ms'), []);
});
