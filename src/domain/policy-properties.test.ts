// The sources of a policy's values (docs/rules/confirmation.md#policy-sources), for every combination of the four levels.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { POLICY_SOURCES, QUORUM_MODES } from './names.ts';
import {
  type AlarmFields,
  type EffectivePolicy,
  effectiveAlarm,
  effectivePolicy,
  PLATFORM_POLICY,
  type PolicyFields,
  type PolicyLevels,
} from './policy.ts';
import { alarmStandardLimit, refuseEffectivePolicy, refusePolicyValues } from './policy-validation.ts';
import { requiredForAlarm } from './quorum.ts';

/** A value, an explicit null, or nothing at all. */
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(fc.option(values, { nil: null }), { nil: undefined });
const small = fc.integer({ min: 1, max: 6 });
const mode = fc.constantFrom(...QUORUM_MODES);
const alarmFields = {
  alarm_consecutive: maybe(small),
  alarm_min_duration_seconds: maybe(fc.integer({ min: 0, max: 3 })),
  alarm_quorum_mode: maybe(mode),
  alarm_quorum_value: maybe(small),
};
const allFields = {
  ...alarmFields,
  failed_interval_seconds: maybe(small),
  recovery_consecutive: maybe(small),
  recovery_quorum_mode: maybe(mode),
  recovery_quorum_value: maybe(small),
};
/** Mostly empty, so that every level takes effect in some runs. */
const level = <T>(fields: fc.Arbitrary<T>) => fc.option(fields, { nil: null });
const levels = fc.record({
  monitor: level(fc.record(allFields)),
  profile: level(fc.record(allFields)),
  standard: level(fc.record(alarmFields)),
}) as fc.Arbitrary<PolicyLevels>;

const FIELDS = Object.keys(PLATFORM_POLICY) as (keyof EffectivePolicy)[];
const ALARM = FIELDS.filter((field) => field.startsWith('alarm_')) as (keyof AlarmFields)[];
/** Highest first; the standard has none of the others' fields. */
const inOrder = ({ monitor, profile, standard }: PolicyLevels) =>
  [monitor, profile, standard] as (Partial<PolicyFields> | null | undefined)[];

test('each field comes from the first level that sets it; a quorum value counts if its mode uses one', () => {
  fc.assert(
    fc.property(levels, (given) => {
      const effective = effectivePolicy(given);
      for (const field of FIELDS) {
        const first = inOrder(given).find((each) => each?.[field] !== undefined && each[field] !== null);
        const expected = first ? first[field] : PLATFORM_POLICY[field];
        const [, side] = /^(alarm|recovery)_quorum_value$/.exec(field) ?? [];
        const used = side === undefined || /count|percent/.test(effective[`${side as 'alarm'}_quorum_mode`]);
        assert.equal(effective[field], used ? expected : null, field);
      }
    }),
    { numRuns: 2000 },
  );
});

test('the source is the highest level that sets any alarm field, whatever other fields are set', () => {
  const names = ['monitor', 'alert_profile', 'organization'];
  const seen = new Set<string>();
  fc.assert(
    fc.property(levels, (given) => {
      const at = inOrder(given).findIndex((each) => ALARM.some((field) => (each?.[field] ?? null) !== null));
      const { source, ...alarm } = effectiveAlarm(given);
      assert.equal(source, names[at] ?? 'platform');
      seen.add(source);
      const effective = effectivePolicy(given);
      for (const field of ALARM) assert.equal(alarm[field], effective[field]);
    }),
    { numRuns: 2000 },
  );
  assert.deepEqual([...seen].sort(), [...POLICY_SOURCES].sort());
});

test('a level that sets nothing changes nothing, and setting the effective value changes no value', () => {
  fc.assert(
    fc.property(levels, (given) => {
      const effective = effectivePolicy(given);
      for (const name of ['monitor', 'profile', 'standard'] as const) {
        const bare = { ...given, [name]: {} };
        if (!given[name]) assert.deepEqual(effectivePolicy(bare), effective);
      }
      assert.deepEqual(effectivePolicy({ ...given, monitor: { ...given.monitor, ...effective } }), effective);
    }),
  );
});

test('a monitor is refused exactly if it has fewer regions than the standard requires', () => {
  const standards = fc.record({ min_regions: small, ...alarmFields });
  fc.assert(
    fc.property(standards, small, (standard, regions) => {
      fc.pre(!(standard.alarm_quorum_mode === 'count' && standard.alarm_quorum_value == null));
      const limit = alarmStandardLimit(standard, regions);
      const counted = standard.alarm_quorum_mode === 'count' ? (standard.alarm_quorum_value ?? 0) : 0;
      const needed = Math.max(standard.min_regions, counted);
      assert.equal(limit, regions < needed ? needed : null);
      // With exactly that many the monitor is admitted, and more are never worse.
      if (limit !== null) assert.equal(alarmStandardLimit(standard, limit), null);
      if (limit === null) assert.equal(alarmStandardLimit(standard, regions + 1), null);
    }),
    { numRuns: 1000 },
  );
});

test('an admitted policy can be met: it never requires more regions than exist', () => {
  fc.assert(
    fc.property(levels, small, (given, regions) => {
      fc.pre(inOrder(given).every((each) => !each || refusePolicyValues(each) === null));
      fc.pre(refuseEffectivePolicy(given, regions) === null);
      const { alarm_quorum_mode, alarm_quorum_value } = effectivePolicy(given);
      const quorum = { mode: alarm_quorum_mode, value: alarm_quorum_value };
      assert.ok(requiredForAlarm(quorum, regions, regions) <= regions);
    }),
    { numRuns: 1000 },
  );
});
