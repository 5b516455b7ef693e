import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import { FORMS } from '../types.testing.ts';
import { changesOf, configOf, creationOf, newMonitor, valuesOf } from './values.ts';

const config = {
  ...configOf(FORMS.http, {
    ...newMonitor(FORMS.http),
    config: { ...newMonitor(FORMS.http).config, url: 'https://example.com/' },
  }),
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
  type: 'http',
  interval_seconds: 1,
  regions: ['local'],
  config,
  policy: null,
  alarm_gate: null,
  depends_on: [],
  severity: 'default',
} as unknown as Monitor;

test('the severity is read, and sent when it was changed', () => {
  const before = valuesOf(FORMS.http, monitor);
  assert.equal(before.severity, 'default');
  assert.deepEqual(changesOf(FORMS.http, { ...before, severity: 'degraded' }, before), {
    severity: 'degraded',
  });
  assert.equal(creationOf(FORMS.http, newMonitor(FORMS.http), 'x').severity, 'critical');
});

test('an untouched form sends nothing', () => {
  const values = valuesOf(FORMS.http, monitor);
  assert.deepEqual(changesOf(FORMS.http, values, values), {});
});

test('reading and writing back changes nothing, numbers and texts stay distinct, masks are kept', () => {
  assert.deepEqual(
    configOf(FORMS.http, valuesOf(FORMS.http, monitor)).json_assertions,
    config.json_assertions,
  );
  assert.deepEqual(configOf(FORMS.http, valuesOf(FORMS.http, monitor)).headers, config.headers);
});

test('only the changed part of config, policy and gate is sent', () => {
  const before = valuesOf(FORMS.http, monitor);
  const after = structuredClone(before);
  after.config.method = 'HEAD';
  after.policy.alarm_consecutive = 3;
  after.alarm_gate.origins = ['deployment'];
  assert.deepEqual(changesOf(FORMS.http, after, before), {
    config: { method: 'HEAD' },
    policy: { alarm_consecutive: 3 },
    alarm_gate: { origins: ['deployment'] },
  });
});

test('an emptied timeout is cleared, so that the server chooses it again', () => {
  const before = valuesOf(FORMS.http, monitor);
  const after = structuredClone(before);
  after.config.timeout_ms = '';
  assert.deepEqual(changesOf(FORMS.http, after, before), { config: { timeout_ms: null } });
});

test('an emptied policy field is inherited again', () => {
  assert.equal(creationOf(FORMS.http, newMonitor(FORMS.http), 'x').policy?.alarm_quorum_mode, null);
});

test('a type that no region checks is created without regions and interval', () => {
  const body = creationOf(FORMS.heartbeat, newMonitor(FORMS.heartbeat), 'Backup');
  assert.equal(body.name, 'Backup');
  assert.equal('regions' in body, false);
  assert.equal('interval_seconds' in body, false);
});
