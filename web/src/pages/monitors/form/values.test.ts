import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Monitor } from '../../../../../src/monitors/contract.ts';
import { changesOf, configOf, NEW_MONITOR, policyOf, valuesOf } from './values.ts';

const config = {
  ...configOf({ ...NEW_MONITOR, config: { ...NEW_MONITOR.config, url: 'https://example.com/' } }),
  headers: { Authorization: '••••', 'X-Key': '••••' },
  secret_headers: ['X-Key'],
  timeout_ms: 800,
  json_assertions: [
    { path: '$.n', op: 'eq', value: 2 },
    { path: '$.s', op: 'eq', value: '2' },
    { path: '$.t', op: 'eq', value: 'text' },
    { path: '$.u', op: 'exists' },
  ],
};
const monitor = {
  id: 'mon_1',
  name: 'Shop',
  interval_seconds: 1,
  regions: ['local'],
  config,
  policy: null,
} as unknown as Monitor;

test('an untouched form writes nothing back', () => {
  const values = valuesOf(monitor);
  assert.deepEqual(changesOf(values, values), {});
});

test('what was read is what would be written, numbers and texts told apart, masks kept', () => {
  assert.deepEqual(configOf(valuesOf(monitor)).json_assertions, config.json_assertions);
  assert.deepEqual(configOf(valuesOf(monitor)).headers, config.headers);
});

test('only the changed part of config and policy is sent', () => {
  const before = valuesOf(monitor);
  const after = structuredClone(before);
  after.config.method = 'HEAD';
  after.policy.alarm_consecutive = 3;
  assert.deepEqual(changesOf(after, before), {
    config: { method: 'HEAD' },
    policy: { alarm_consecutive: 3 },
  });
});

test('an emptied policy field is inherited again', () => {
  assert.equal(policyOf(NEW_MONITOR).alarm_quorum_mode, null);
});
