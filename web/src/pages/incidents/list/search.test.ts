import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IncidentDetail, IncidentSummary } from '../../../../../src/incidents/contract.ts';
import { matches, readIncidentSearch, stateOf } from './search.ts';

const incident = {
  monitor_name: 'Checkout',
  project_name: 'Web shop',
  cause: 'HTTP 503',
  severity: 'critical',
} as unknown as IncidentSummary;
const detail = (changed: object) =>
  ({
    status: 'open',
    lifecycle_state: 'triggered',
    alarm_held_until_unix: null,
    ...changed,
  }) as IncidentDetail;

test('an address is read as far as it is understood', () => {
  assert.deepEqual(readIncidentSearch({ status: 'open', severity: 'worst', state: 'held', text: 503 }), {
    state: 'held',
    text: '503',
  });
  assert.deepEqual(readIncidentSearch({ status: 'closed', state: 'held' }), { status: 'closed' });
});

test('monitor, project and cause are searched, whatever the case', () => {
  for (const text of ['checkout', 'SHOP', '503', ' web '])
    assert.ok(matches(incident, undefined, { text }), text);
  assert.ok(!matches(incident, undefined, { text: 'orders' }));
});

test('severity and state both have to fit', () => {
  assert.ok(!matches(incident, undefined, { severity: 'degraded' }));
  assert.ok(matches(incident, detail({}), { severity: 'critical', state: 'triggered' }));
  assert.ok(!matches(incident, undefined, { state: 'triggered' }), 'a state that is not known yet');
});

test('a held alarm is a state of its own until somebody takes the incident', () => {
  assert.equal(stateOf(detail({ alarm_held_until_unix: 5 })), 'held');
  assert.equal(
    stateOf(detail({ alarm_held_until_unix: 5, lifecycle_state: 'acknowledged' })),
    'acknowledged',
  );
  assert.equal(stateOf(detail({ status: 'closed' })), null);
});
