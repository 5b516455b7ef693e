// Inherited policy values, and the source of each effective value (docs/rules/confirmation.md#policy-sources).
import type { AlarmStandard, AlertProfile } from '#src/alarm-policy/contract.ts';
import type { PolicySource, QuorumMode } from '#src/domain/names.ts';
import {
  type AlarmFields,
  type EffectivePolicy,
  effectivePolicy,
  type PolicyFields,
  type PolicyLevels,
} from '#src/domain/policy.ts';
import { orNull } from './amounts.ts';
import type { PolicyValues } from './policy-values.ts';

/** The levels below the monitor; `profileName` if it has a profile. */
export type InheritedPolicy = {
  profile: Partial<PolicyFields> | null;
  profileName: string | null;
  standard: Partial<AlarmFields> | null;
};

export const POLICY_FIELDS = [
  'alarm_consecutive',
  'alarm_min_duration_seconds',
  'alarm_quorum_mode',
  'alarm_quorum_value',
  'recovery_consecutive',
  'recovery_quorum_mode',
  'recovery_quorum_value',
  'failed_interval_seconds',
] as const satisfies readonly (keyof PolicyFields)[];
export type PolicyField = (typeof POLICY_FIELDS)[number];

/** The levels below a monitor with `profileId` ('' or null: none). */
export function inheritedFrom(
  profileId: string | null,
  profiles: readonly AlertProfile[],
  standard: AlarmStandard | null,
): InheritedPolicy {
  const profile = profiles.find(({ id }) => id === profileId);
  return {
    profile: (profile ?? null) as Partial<PolicyFields> | null,
    profileName: profile?.name ?? null,
    standard: standard as Partial<AlarmFields> | null,
  };
}

/** The values that the form sets on the monitor itself. */
export function monitorLevel(written: PolicyValues): PolicyFields {
  return {
    alarm_consecutive: orNull(written.alarm_consecutive),
    alarm_min_duration_seconds: orNull(written.alarm_min_duration_seconds),
    alarm_quorum_mode: orNull(written.alarm_quorum_mode) as QuorumMode | null,
    alarm_quorum_value: orNull(written.alarm_quorum_value),
    recovery_consecutive: orNull(written.recovery_consecutive),
    recovery_quorum_mode: orNull(written.recovery_quorum_mode) as QuorumMode | null,
    recovery_quorum_value: orNull(written.recovery_quorum_value),
    failed_interval_seconds: orNull(written.failed_interval_seconds),
  };
}

/** The effective policy with the form's values. */
export function policyInForce(written: PolicyValues, inherited: InheritedPolicy): EffectivePolicy {
  return effectivePolicy({ ...inherited, monitor: monitorLevel(written) });
}

/** The effective policy without the monitor's own values. */
export function inheritedPolicy({ profile, standard }: InheritedPolicy): EffectivePolicy {
  return effectivePolicy({ profile, standard });
}

/** The level that an effective value comes from. */
export function sourceOf(field: PolicyField, { monitor, profile, standard }: PolicyLevels): PolicySource {
  const inStandard = (standard as Partial<PolicyFields> | null | undefined)?.[field];
  if (monitor?.[field] != null) return 'monitor';
  if (profile?.[field] != null) return 'alert_profile';
  return inStandard != null ? 'organization' : 'platform';
}
