import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alarmStandardLimit, refuseEffectivePolicy, refusePolicyValues } from './policy-validation.ts';

test('values at the ends of their ranges, and inherited ones, are accepted', () => {
  assert.equal(refusePolicyValues({}), null);
  assert.equal(
    refusePolicyValues({ alarm_consecutive: 1, alarm_min_duration_seconds: 0, failed_interval_seconds: 1 }),
    null,
  );
  assert.equal(
    refusePolicyValues({ alarm_consecutive: null, alarm_quorum_mode: null, recovery_quorum_value: null }),
    null,
  );
  assert.equal(refusePolicyValues({ alarm_quorum_mode: 'percent', alarm_quorum_value: 100 }), null);
});

for (const [values, field] of [
  [{ alarm_consecutive: 0 }, 'alarm_consecutive'],
  [{ alarm_consecutive: 101 }, 'alarm_consecutive'],
  [{ alarm_consecutive: 1.5 }, 'alarm_consecutive'],
  [{ alarm_consecutive: '2' }, 'alarm_consecutive'],
  [{ recovery_consecutive: 0 }, 'recovery_consecutive'],
  [{ alarm_min_duration_seconds: -1 }, 'alarm_min_duration_seconds'],
  [{ alarm_min_duration_seconds: 86_401 }, 'alarm_min_duration_seconds'],
  [{ failed_interval_seconds: 0 }, 'failed_interval_seconds'],
  [{ alarm_quorum_mode: 'most' }, 'alarm_quorum_mode'],
  [{ recovery_quorum_mode: '' }, 'recovery_quorum_mode'],
  [{ alarm_quorum_value: 0 }, 'alarm_quorum_value'],
  [{ alarm_quorum_mode: 'percent', alarm_quorum_value: 101 }, 'alarm_quorum_value'],
  [{ recovery_quorum_mode: 'percent', recovery_quorum_value: 0 }, 'recovery_quorum_value'],
] as const) {
  test(`${JSON.stringify(values)} is refused, naming the field`, () => {
    const refusal = refusePolicyValues(values, 'policy.');
    assert.equal(refusal?.field, `policy.${field}`);
    assert.match(refusal.message, new RegExp(`^policy\\.${field} .*\\.$`));
  });
}

test('a count above the number of regions is refused, for alarm and for recovery', () => {
  for (const side of ['alarm', 'recovery'] as const) {
    const monitor = { [`${side}_quorum_mode`]: 'count', [`${side}_quorum_value`]: 3 };
    assert.equal(refuseEffectivePolicy({ monitor }, 3), null);
    assert.equal(refuseEffectivePolicy({ monitor }, 2, 'policy.')?.field, `policy.${side}_quorum_value`);
  }
});

test('a monitor type without regions counts as one', () => {
  const monitor = { alarm_quorum_mode: 'count', alarm_quorum_value: 1 } as const;
  assert.equal(refuseEffectivePolicy({ monitor }, 0), null);
});

test('a type without regions ignores the standard’s count, but not its own', () => {
  const standard = { alarm_quorum_mode: 'count', alarm_quorum_value: 2 } as const;
  assert.equal(refuseEffectivePolicy({ standard }, 0), null);
  assert.equal(refuseEffectivePolicy({ standard }, 1)?.field, 'alarm_quorum_value');
  assert.equal(refuseEffectivePolicy({ monitor: standard }, 0)?.field, 'alarm_quorum_value');
});

test('a mode that needs a value is refused without one, whichever level has it', () => {
  const monitor = { alarm_quorum_mode: 'count' } as const;
  assert.equal(refuseEffectivePolicy({ monitor }, 3)?.field, 'alarm_quorum_value');
  assert.equal(refuseEffectivePolicy({ monitor, profile: { alarm_quorum_value: 2 } }, 3), null);
});

test('with the mode percent, an inherited value that is not a percentage is refused', () => {
  const levels = { monitor: { alarm_quorum_mode: 'percent' }, profile: { alarm_quorum_value: 200 } } as const;
  assert.equal(refuseEffectivePolicy(levels, 3)?.field, 'alarm_quorum_value');
});

for (const [standard, regions, limit] of [
  [null, 1, null],
  [{ min_regions: 2 }, 2, null],
  [{ min_regions: 3 }, 2, 3],
  [{ min_regions: 1, alarm_quorum_mode: 'count', alarm_quorum_value: 3 }, 2, 3],
  [{ min_regions: 1, alarm_quorum_mode: 'count', alarm_quorum_value: 3 }, 3, null],
  [{ min_regions: 1, alarm_quorum_mode: 'percent', alarm_quorum_value: 80 }, 1, null],
] as const) {
  test(`the standard ${JSON.stringify(standard)} ${limit === null ? 'is reached' : `needs ${limit} regions, more than`} with ${regions}`, () => {
    assert.equal(alarmStandardLimit(standard, regions), limit);
  });
}
