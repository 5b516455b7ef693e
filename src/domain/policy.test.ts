import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectiveAlarm, effectivePolicy, INHERITED_POLICY, PLATFORM_POLICY } from './policy.ts';

test('with nothing set the platform defaults apply', () => {
  assert.deepEqual(effectivePolicy({ monitor: INHERITED_POLICY }), PLATFORM_POLICY);
  assert.deepEqual(effectiveAlarm({}), {
    alarm_consecutive: 2,
    alarm_min_duration_seconds: 0,
    alarm_quorum_mode: 'majority',
    alarm_quorum_value: null,
    source: 'platform',
  });
});

test('every field comes from the highest level that sets this field', () => {
  const levels = {
    monitor: { alarm_consecutive: 5 },
    profile: { alarm_consecutive: 4, alarm_min_duration_seconds: 60, recovery_consecutive: 7 },
    standard: { alarm_min_duration_seconds: 30, alarm_quorum_mode: 'count', alarm_quorum_value: 3 },
  } as const;
  assert.deepEqual(effectivePolicy(levels), {
    ...PLATFORM_POLICY,
    alarm_consecutive: 5,
    alarm_min_duration_seconds: 60,
    alarm_quorum_mode: 'count',
    alarm_quorum_value: 3,
    recovery_consecutive: 7,
  });
});

test('zero is a value, null is inherited', () => {
  const standard = { alarm_min_duration_seconds: 30 };
  assert.equal(
    effectivePolicy({ monitor: { alarm_min_duration_seconds: 0 }, standard }).alarm_min_duration_seconds,
    0,
  );
  assert.equal(effectivePolicy({ monitor: INHERITED_POLICY, standard }).alarm_min_duration_seconds, 30);
});

test('a quorum value that the effective mode does not use is hidden', () => {
  const levels = { monitor: { alarm_quorum_mode: 'all' }, standard: { alarm_quorum_value: 3 } } as const;
  assert.equal(effectiveAlarm(levels).alarm_quorum_value, null);
});

for (const [source, levels] of [
  ['monitor', { monitor: { alarm_consecutive: 2 }, profile: { alarm_consecutive: 3 } }],
  ['alert_profile', { profile: { alarm_min_duration_seconds: 0 }, standard: { alarm_consecutive: 3 } }],
  ['organization', { profile: { recovery_consecutive: 3 }, standard: { alarm_quorum_value: 3 } }],
  ['platform', { monitor: { recovery_consecutive: 3, failed_interval_seconds: 5 }, standard: {} }],
] as const) {
  test(`the source of an alarm set by ${JSON.stringify(levels)} is ${source}`, () => {
    assert.equal(effectiveAlarm(levels).source, source);
  });
}
