import type { PolicySource, QuorumMode } from './names.ts';

/** The wire format of the four fields that decide when an incident opens; null = inherited. */
export type AlarmFields = {
  alarm_consecutive: number | null;
  alarm_min_duration_seconds: number | null;
  alarm_quorum_mode: QuorumMode | null;
  alarm_quorum_value: number | null;
};

/** Every inheritable field of the interface's policy object; null = inherited (docs/rules/confirmation.md#policy-values). */
export type PolicyFields = AlarmFields & {
  failed_interval_seconds: number | null;
  recovery_consecutive: number | null;
  recovery_quorum_mode: QuorumMode | null;
  recovery_quorum_value: number | null;
};

/** The interface's policy object without its read-only part, as stored with a monitor. */
export type MonitorPolicy = PolicyFields & { alert_profile_id: string | null };

/** An organization's alarm standard: a floor for every monitor (docs/rules/confirmation.md#alarm-standard). */
export type AlarmStandard = { min_regions: number } & Partial<AlarmFields>;

/** The values in force: only a quorum value that its mode does not use is null. */
export type EffectivePolicy = {
  alarm_consecutive: number;
  alarm_min_duration_seconds: number;
  alarm_quorum_mode: QuorumMode;
  alarm_quorum_value: number | null;
  failed_interval_seconds: number;
  recovery_consecutive: number;
  recovery_quorum_mode: QuorumMode;
  recovery_quorum_value: number | null;
};

/** `policy.effective_alarm` of the interface. */
export type EffectiveAlarm = Pick<
  EffectivePolicy,
  'alarm_consecutive' | 'alarm_min_duration_seconds' | 'alarm_quorum_mode' | 'alarm_quorum_value'
> & { source: PolicySource };

/** The levels a value can come from; absent and null fields are inherited. */
export type PolicyLevels = {
  monitor?: Partial<PolicyFields> | null;
  profile?: Partial<PolicyFields> | null;
  standard?: Partial<AlarmFields> | null;
};

/** Platform defaults (docs/rules/confirmation.md#policy-values). */
export const PLATFORM_POLICY: Readonly<EffectivePolicy> = {
  alarm_consecutive: 2,
  alarm_min_duration_seconds: 0,
  alarm_quorum_mode: 'majority',
  alarm_quorum_value: null,
  failed_interval_seconds: 15,
  recovery_consecutive: 2,
  recovery_quorum_mode: 'majority',
  recovery_quorum_value: null,
};

/** A policy that inherits everything: the policy of a monitor that is created without one. */
export const INHERITED_POLICY: Readonly<MonitorPolicy> = {
  alarm_consecutive: null,
  alarm_min_duration_seconds: null,
  alarm_quorum_mode: null,
  alarm_quorum_value: null,
  alert_profile_id: null,
  failed_interval_seconds: null,
  recovery_consecutive: null,
  recovery_quorum_mode: null,
  recovery_quorum_value: null,
};

const ALARM_FIELDS = [
  'alarm_consecutive',
  'alarm_min_duration_seconds',
  'alarm_quorum_mode',
  'alarm_quorum_value',
] as const;

/** Whether a quorum mode needs a value beside it. */
export function takesValue(mode: QuorumMode): boolean {
  return mode === 'count' || mode === 'percent';
}

/** The policy in force, field by field: the monitor, else its profile, else the standard, else the platform. */
export function effectivePolicy({ monitor, profile, standard }: PolicyLevels): EffectivePolicy {
  const pick = <F extends keyof PolicyFields>(field: F): EffectivePolicy[F] =>
    (monitor?.[field] ??
      profile?.[field] ??
      (standard as Partial<PolicyFields> | null | undefined)?.[field] ??
      PLATFORM_POLICY[field]) as EffectivePolicy[F];
  const alarmMode = pick('alarm_quorum_mode');
  const recoveryMode = pick('recovery_quorum_mode');
  return {
    alarm_consecutive: pick('alarm_consecutive'),
    alarm_min_duration_seconds: pick('alarm_min_duration_seconds'),
    alarm_quorum_mode: alarmMode,
    alarm_quorum_value: takesValue(alarmMode) ? pick('alarm_quorum_value') : null,
    failed_interval_seconds: pick('failed_interval_seconds'),
    recovery_consecutive: pick('recovery_consecutive'),
    recovery_quorum_mode: recoveryMode,
    recovery_quorum_value: takesValue(recoveryMode) ? pick('recovery_quorum_value') : null,
  };
}

/** The alarm part of the policy in force; `source` is the highest level that set any of its four fields. */
export function effectiveAlarm(levels: PolicyLevels): EffectiveAlarm {
  const policy = effectivePolicy(levels);
  return {
    alarm_consecutive: policy.alarm_consecutive,
    alarm_min_duration_seconds: policy.alarm_min_duration_seconds,
    alarm_quorum_mode: policy.alarm_quorum_mode,
    alarm_quorum_value: policy.alarm_quorum_value,
    source: sourceOf(levels),
  };
}

function sourceOf({ monitor, profile, standard }: PolicyLevels): PolicySource {
  const sets = (level: Partial<AlarmFields> | null | undefined) =>
    ALARM_FIELDS.some((field) => level?.[field] != null);
  if (sets(monitor)) return 'monitor';
  if (sets(profile)) return 'alert_profile';
  return sets(standard) ? 'organization' : 'platform';
}
