import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import { matches, readIncidentSearch, stateOf } from './search.ts';

const incident = (changed: Partial<IncidentSummary> = {}) =>
  ({
    monitor_name: 'Checkout',
    project_name: 'Web shop',
    cause: 'HTTP 503',
    severity: 'critical',
    lifecycle_state: 'triggered',
    alarm_held_until_unix: null,
    ...changed,
  }) as IncidentSummary;

test('an address is read as far as it is understood', () => {
  assert.deepEqual(readIncidentSearch({ status: 'open', severity: 'worst', state: 'held', text: 503 }), {
    state: 'held',
    text: '503',
  });
  assert.deepEqual(readIncidentSearch({ status: 'gone', state: 'lost' }), {});
});

test('a state is kept where an incident can be in it', () => {
  for (const [status, state, kept] of [
    ['open', 'acknowledged', true],
    ['open', 'discarded', false],
    ['closed', 'discarded', true],
    ['closed', 'held', false],
    ['all', 'held', true],
    ['all', 'resolved', true],
  ] as const)
    assert.equal(readIncidentSearch({ status, state }).state, kept ? state : undefined, `${status} ${state}`);
});

test('monitor, project and cause are searched, whatever the case', () => {
  for (const text of ['checkout', 'SHOP', '503', ' web ']) assert.ok(matches(incident(), { text }), text);
  assert.ok(!matches(incident(), { text: 'orders' }));
});

test('severity and state both have to fit', () => {
  assert.ok(!matches(incident(), { severity: 'degraded' }));
  assert.ok(matches(incident(), { severity: 'critical', state: 'triggered' }));
  assert.ok(
    !matches(incident({ lifecycle_state: 'resolved' }), { severity: 'critical', state: 'triggered' }),
  );
});

test('a held alarm is a state of its own until somebody takes the incident', () => {
  assert.equal(stateOf(incident({ alarm_held_until_unix: 5 })), 'held');
  for (const lifecycle_state of ['acknowledged', 'resolved', 'discarded'])
    assert.equal(stateOf(incident({ alarm_held_until_unix: 5, lifecycle_state })), lifecycle_state);
});
