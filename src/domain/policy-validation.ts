import { QUORUM_MODES, type QuorumMode } from './names.ts';
import {
  type AlarmStandard,
  effectivePolicy,
  type PolicyFields,
  type PolicyLevels,
  takesValue,
} from './policy.ts';

/** The refusal of a policy: the field's path and an English sentence that names it. */
export type PolicyRefusal = { field: string; message: string };

const RANGES = {
  alarm_consecutive: [1, 100],
  alarm_min_duration_seconds: [0, 86_400],
  alarm_quorum_value: [1, 1000],
  failed_interval_seconds: [1, 86_400],
  recovery_consecutive: [1, 100],
  recovery_quorum_value: [1, 1000],
} as const satisfies Partial<Record<keyof PolicyFields, readonly [number, number]>>;

/**
 * Validates the values of one level (a monitor's policy, an alert profile, an alarm standard), without the other levels.
 * `prefix` goes before the field in the refusal ('policy.' for a monitor). Null if all are valid. Ranges are this project's
 * choice.
 */
export function refusePolicyValues(
  values: Partial<Record<keyof PolicyFields, unknown>>,
  prefix = '',
): PolicyRefusal | null {
  for (const [field, [least, most]] of Object.entries(RANGES) as [
    keyof typeof RANGES,
    readonly [number, number],
  ][]) {
    const value = values[field];
    if (value == null) continue;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
      return refusal(prefix, field, `must be a whole number from ${least} to ${most}`);
    }
  }
  for (const side of ['alarm', 'recovery'] as const) {
    const mode = values[`${side}_quorum_mode`];
    const value = values[`${side}_quorum_value`];
    if (mode != null && !QUORUM_MODES.includes(mode as QuorumMode)) {
      return refusal(prefix, `${side}_quorum_mode`, `must be one of ${QUORUM_MODES.join(', ')}`);
    }
    if (mode === 'percent' && typeof value === 'number' && value > 100) {
      return refusal(prefix, `${side}_quorum_value`, 'must be from 1 to 100 with the mode percent');
    }
  }
  return null;
}

/**
 * Validates the policy in force for a monitor with `regions` distinct regions (0 for the types without regions, which count
 * as one): a mode that needs a value has one, a percentage is at most 100, and a `count` is not above the number of
 * regions (docs/rules/confirmation.md#policy-values). For types without regions the standard's `count` means their single
 * one. Call it after `refusePolicyValues` of every level and after `alarmStandardLimit`.
 */
export function refuseEffectivePolicy(
  levels: PolicyLevels,
  regions: number,
  prefix = '',
): PolicyRefusal | null {
  const policy = effectivePolicy(regions === 0 ? { ...levels, standard: null } : levels);
  const most = Math.max(1, regions);
  for (const side of ['alarm', 'recovery'] as const) {
    const mode = policy[`${side}_quorum_mode`];
    const value = policy[`${side}_quorum_value`];
    const field = `${side}_quorum_value`;
    if (!takesValue(mode)) continue;
    if (value === null) return refusal(prefix, field, `is needed with the mode ${mode}`);
    if (mode === 'percent' && value > 100) {
      return refusal(prefix, field, 'must be from 1 to 100 with the mode percent');
    }
    if (mode === 'count' && value > most) {
      return refusal(prefix, field, `asks for ${value} regions, and the monitor has ${most}`);
    }
  }
  return null;
}

/**
 * The number of distinct regions that the alarm standard needs if a monitor with `regions` of them has fewer, else null: the
 * `limit` of `alarm_standard_unreachable`. A standard is a floor, so its own `count` is needed even if the monitor or its
 * profile asks for less. Not for the types without regions (docs/rules/confirmation.md#alarm-standard).
 */
export function alarmStandardLimit(
  standard: AlarmStandard | null | undefined,
  regions: number,
): number | null {
  if (standard == null) return null;
  const quorum = standard.alarm_quorum_mode === 'count' ? (standard.alarm_quorum_value ?? 1) : 1;
  const needed = Math.max(standard.min_regions, quorum);
  return regions < needed ? needed : null;
}

function refusal(prefix: string, field: string, why: string): PolicyRefusal {
  return { field: `${prefix}${field}`, message: `${prefix}${field} ${why}.` };
}
