import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlertProfile } from '#src/alarm-policy/contract.ts';
import { inheritedFrom, inheritedPolicy, monitorLevel, policyInForce, sourceOf } from './policy-levels.ts';
import { NO_POLICY } from './policy-values.ts';

const nothing = {
  alarm_consecutive: null,
  alarm_min_duration_seconds: null,
  alarm_quorum_mode: null,
  alarm_quorum_value: null,
  failed_interval_seconds: null,
  recovery_consecutive: null,
  recovery_quorum_mode: null,
  recovery_quorum_value: null,
};
const night: AlertProfile = {
  ...nothing,
  id: 'alp_1',
  name: 'Night',
  alarm_consecutive: 5,
  recovery_consecutive: 4,
  monitor_count: 1,
  created_at_unix: 0,
};
const standard = { min_regions: 1, ...nothing, alarm_consecutive: 3, alarm_min_duration_seconds: 60 };

test('each value comes from the highest level that sets it', () => {
  const inherited = inheritedFrom('alp_1', [night], standard);
  const own = { ...NO_POLICY, recovery_consecutive: 1 as const };
  const levels = { ...inherited, monitor: monitorLevel(own) };
  const inForce = policyInForce(own, inherited);
  assert.deepEqual([inForce.alarm_consecutive, sourceOf('alarm_consecutive', levels)], [5, 'alert_profile']);
  assert.deepEqual([inForce.recovery_consecutive, sourceOf('recovery_consecutive', levels)], [1, 'monitor']);
  assert.deepEqual(
    [inForce.alarm_min_duration_seconds, sourceOf('alarm_min_duration_seconds', levels)],
    [60, 'organization'],
  );
  assert.deepEqual(
    [inForce.failed_interval_seconds, sourceOf('failed_interval_seconds', levels)],
    [15, 'platform'],
  );
});

test('without its deleted profile a monitor inherits the standard', () => {
  const inherited = inheritedFrom('alp_2', [night], standard);
  assert.equal(inherited.profileName, null);
  assert.equal(inheritedPolicy(inherited).alarm_consecutive, 3);
});
