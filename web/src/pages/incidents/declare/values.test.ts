import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromLocalInput, toLocalInput } from '../actions/local-time.ts';
import { bodyOf, hasBegun, type Values } from './values.ts';

const values: Values = {
  cause: '  Payments are refused ',
  summary: ' ',
  monitorId: null,
  severity: 'critical',
  level: null,
  began: 'now',
  beganAt: '2026-11-21T10:00',
};

test('empty fields are not sent', () => {
  assert.deepEqual(bodyOf(values), { cause: 'Payments are refused', severity: 'critical' });
});

test('filled fields are sent', () => {
  const at = fromLocalInput('2026-11-21T10:00');
  assert.deepEqual(
    bodyOf({ ...values, summary: 'All cards', monitorId: 'mon_1', level: 'sev2', began: 'earlier' }),
    {
      cause: 'Payments are refused',
      summary: 'All cards',
      monitor_id: 'mon_1',
      severity: 'critical',
      severity_level: 'sev2',
      started_at_unix: at,
    },
  );
});

test('an incident starts now, or at a past moment', () => {
  const at = fromLocalInput(values.beganAt) ?? 0;
  assert.ok(hasBegun(values, 0));
  assert.ok(hasBegun({ ...values, began: 'earlier' }, at));
  assert.ok(!hasBegun({ ...values, began: 'earlier' }, at - 1));
  assert.ok(!hasBegun({ ...values, began: 'earlier', beganAt: '' }, at));
});

test('a moment survives formatting and parsing, to the minute', () => {
  assert.equal(fromLocalInput(toLocalInput(1_700_000_040)), 1_700_000_040);
  assert.equal(fromLocalInput(''), null);
});
