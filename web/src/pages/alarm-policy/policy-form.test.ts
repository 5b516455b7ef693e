import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  missingValues,
  NEW_PROFILE,
  NEW_STANDARD,
  policyFormValues,
  writtenAlarm,
  writtenFields,
} from './policy-form.ts';

const NOTHING = {
  alarm_consecutive: null,
  alarm_min_duration_seconds: null,
  alarm_quorum_mode: null,
  alarm_quorum_value: null,
  recovery_consecutive: null,
  recovery_quorum_mode: null,
  recovery_quorum_value: null,
  failed_interval_seconds: null,
};

test('empty fields are sent as null', () => {
  assert.deepEqual(writtenFields({ ...NEW_PROFILE, recovery_consecutive: 3 }), {
    ...NOTHING,
    recovery_consecutive: 3,
  });
});

test('a minimum duration of zero is a value, not an empty field', () => {
  const values = policyFormValues({ ...NOTHING, name: 'Night', alarm_min_duration_seconds: 0 });
  assert.equal(values.name, 'Night');
  assert.equal(values.alarm_min_duration_seconds, 0);
  assert.equal(writtenFields(values).alarm_min_duration_seconds, 0);
});

test('a standard is sent without the fields of monitors and profiles', () => {
  assert.deepEqual(writtenAlarm({ ...NEW_STANDARD, alarm_consecutive: 4 }), {
    alarm_consecutive: 4,
    alarm_min_duration_seconds: null,
    alarm_quorum_mode: null,
    alarm_quorum_value: null,
  });
});

test('a fixed number and a percentage require their value', () => {
  const values = { ...NEW_PROFILE, alarm_quorum_mode: 'count', recovery_quorum_mode: 'percent' };
  assert.deepEqual(missingValues(values), ['alarm_quorum_value', 'recovery_quorum_value']);
  assert.deepEqual(missingValues({ ...values, alarm_quorum_value: 2, recovery_quorum_value: 50 }), []);
  assert.deepEqual(missingValues({ ...NEW_PROFILE, alarm_quorum_mode: 'all' }), []);
});
