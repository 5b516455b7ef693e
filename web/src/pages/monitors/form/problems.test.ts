import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from './problems.ts';
import { type MonitorValues, newMonitor } from './values.ts';

const opened: MonitorValues = newMonitor('tcp');
opened.regions = ['local', 'north'];
opened.config = { ...opened.config, host: 'db.example.com', port: 5432, timeout_ms: 5_000 };

const wrong = (given: Partial<MonitorValues>) => problemsOf({ ...opened, ...given }, opened);

test('a form in order has no problems', () => {
  assert.deepEqual(wrong({}), {});
});

test('a timeout that was typed must be shorter than the interval; one that was there may be the server’s', () => {
  assert.deepEqual(wrong({ interval_seconds: 1 }), {});
  const config = { ...opened.config, timeout_ms: 60_000 };
  assert.deepEqual(wrong({ config }), {
    'config.timeout_ms': { key: 'problems.timeoutAboveInterval', values: { interval: 60 } },
  });
});

test('what takes as long as the timeout has failed, and cannot be slow', () => {
  const config = { ...opened.config, degraded_after_ms: 5_000 };
  assert.equal(wrong({ config })['config.degraded_after_ms']?.key, 'problems.slowAboveTimeout');
});

test('a number of regions must be there to agree', () => {
  const policy = { ...opened.policy, alarm_quorum_mode: 'count', alarm_quorum_value: 3 as const };
  assert.equal(wrong({ policy })['policy.alarm_quorum_value']?.key, 'problems.wholeRange');
  assert.deepEqual(wrong({ policy, regions: ['a', 'b', 'c'] }), {});
});

test('only what is checked from a region needs one', () => {
  assert.equal(wrong({ regions: [] }).regions?.key, 'problems.noRegion');
  const heartbeat = newMonitor('heartbeat');
  assert.deepEqual(problemsOf(heartbeat, heartbeat), {});
});
