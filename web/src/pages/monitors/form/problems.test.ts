import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMS } from '../types.testing.ts';
import { problemsOf } from './problems.ts';
import { type MonitorValues, newMonitor } from './values.ts';

const opened: MonitorValues = newMonitor(FORMS.tcp);
opened.regions = ['local', 'north'];
opened.config = { ...opened.config, host: 'db.example.com', port: 5432, timeout_ms: 5_000 };

const wrong = (given: Partial<MonitorValues>) => problemsOf(FORMS.tcp, { ...opened, ...given }, opened);

test('a valid form has no problems', () => {
  assert.deepEqual(wrong({}), {});
});

test('a typed timeout must be shorter than the interval; an existing one may be the server’s', () => {
  assert.deepEqual(wrong({ interval_seconds: 1 }), {});
  const config = { ...opened.config, timeout_ms: 60_000 };
  assert.deepEqual(wrong({ config }), {
    'config.timeout_ms': { key: 'problems.timeoutAboveInterval', values: { interval: 60 } },
  });
});

test('a degraded threshold must be below the timeout', () => {
  const config = { ...opened.config, degraded_after_ms: 5_000 };
  assert.equal(wrong({ config })['config.degraded_after_ms']?.key, 'problems.slowAboveTimeout');
});

test('a quorum needs that many regions', () => {
  const policy = { ...opened.policy, alarm_quorum_mode: 'count', alarm_quorum_value: 3 as const };
  assert.equal(wrong({ policy })['policy.alarm_quorum_value']?.key, 'problems.wholeRange');
  assert.deepEqual(wrong({ policy, regions: ['a', 'b', 'c'] }), {});
});

test('only types that regions check require one', () => {
  assert.equal(wrong({ regions: [] }).regions?.key, 'problems.noRegion');
  const heartbeat = newMonitor(FORMS.heartbeat);
  assert.deepEqual(problemsOf(FORMS.heartbeat, heartbeat, heartbeat), {});
});

test('the limits of a duration are durations, whatever the unit of its field', () => {
  const heartbeat = newMonitor(FORMS.heartbeat);
  const config = { ...heartbeat.config, schedule: { kind: 'period', period_seconds: 0 } };
  assert.deepEqual(problemsOf(FORMS.heartbeat, { ...heartbeat, config }, heartbeat), {
    'config.schedule.period_seconds': {
      key: 'problems.durationRange',
      durations: { least: 1, most: 366 * 86_400 },
    },
  });
});

test('an assertion without a subject is reported before it is sent', () => {
  const http = newMonitor(FORMS.http);
  Object.assign(http, { regions: ['local'] });
  const lines = [
    { path: '$.ok', op: 'equals', value: 'true' },
    { path: ' ', op: 'exists', value: '' },
  ];
  const config = { ...http.config, url: 'https://shop.example.com/', json_assertions: lines };
  const found = problemsOf(FORMS.http, { ...http, config }, http);
  assert.deepEqual(found, { 'config.json_assertions.1.path': { key: 'problems.needed' } });
});

test('a stored secret must be entered again if the address changes, and only then', () => {
  const config = { ...opened.config, url: 'https://shop.example.com/a', tls: { verify: true } };
  const initial = newMonitor(FORMS.http);
  Object.assign(initial, { regions: ['local'] });
  Object.assign(initial.config, config, {
    tls: { ...(initial.config.tls as object), client_key_pem: '••••' },
    auth: { kind: 'bearer', username: '', password: '', token: '••••' },
    headers: [{ name: 'Authorization', value: '••••', secret: false }],
  });
  const at = (change: object) =>
    Object.entries(
      problemsOf(FORMS.http, { ...initial, config: { ...initial.config, ...change } }, initial),
    ).filter(([, { key }]) => key === 'problems.secretAgain');
  assert.deepEqual(at({ url: 'https://shop.example.com/b' }), []);
  assert.deepEqual(
    at({ url: 'https://elsewhere.example.com/a' })
      .map(([path]) => path)
      .sort(),
    ['config.auth.token', 'config.headers.0.value', 'config.tls.client_key_pem'],
  );
  const tls = { ...(initial.config.tls as object), verify: false };
  assert.equal(at({ tls }).length, 3);
  const auth = { kind: 'bearer', username: '', password: '', token: 'typed again' };
  assert.equal(at({ url: 'https://elsewhere.example.com/a', auth }).length, 2);
});
