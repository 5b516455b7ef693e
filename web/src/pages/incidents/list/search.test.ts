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

test('invalid parameters of an address are dropped', () => {
  assert.deepEqual(readIncidentSearch({ status: 'open', severity: 'worst', state: 'held', text: 503 }), {
    state: 'held',
    text: '503',
  });
  assert.deepEqual(readIncidentSearch({ status: 'gone', state: 'lost' }), {});
});

test('a status is kept only for incidents that can have it', () => {
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

test('monitor, project and cause are searched, ignoring case', () => {
  for (const text of ['checkout', 'SHOP', '503', ' web ']) assert.ok(matches(incident(), { text }), text);
  assert.ok(!matches(incident(), { text: 'orders' }));
});

test('severity and status must both match', () => {
  assert.ok(!matches(incident(), { severity: 'degraded' }));
  assert.ok(matches(incident(), { severity: 'critical', state: 'triggered' }));
  assert.ok(
    !matches(incident({ lifecycle_state: 'resolved' }), { severity: 'critical', state: 'triggered' }),
  );
});

test('a held alarm is a status of its own until the incident is acknowledged', () => {
  assert.equal(stateOf(incident({ alarm_held_until_unix: 5 })), 'held');
  for (const lifecycle_state of ['acknowledged', 'resolved', 'discarded'])
    assert.equal(stateOf(incident({ alarm_held_until_unix: 5, lifecycle_state })), lifecycle_state);
});
