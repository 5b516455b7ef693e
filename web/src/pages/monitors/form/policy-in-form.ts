import type { PolicySource, QuorumMode } from '../../../../../src/domain/names.ts';
import { type EffectivePolicy, effectivePolicy, PLATFORM_POLICY } from '../../../../../src/domain/policy.ts';
import type { Policy } from '../../../../../src/monitors/contract.ts';
import type { MonitorValues } from './values.ts';

const filled = <T>(value: T | ''): T | null => (value === '' ? null : value);

/** What is inherited where the form says nothing: as the server resolved it when the monitor was read. */
export function inheritedPolicy(stored: Policy | null): EffectivePolicy {
  if (stored === null) return { ...PLATFORM_POLICY };
  const effective = stored.effective_alarm;
  return {
    ...PLATFORM_POLICY,
    // A field the monitor sets itself hides what it would inherit; the platform's value stands in for it.
    ...(stored.alarm_consecutive === null ? { alarm_consecutive: effective.alarm_consecutive } : {}),
    ...(stored.alarm_min_duration_seconds === null
      ? { alarm_min_duration_seconds: effective.alarm_min_duration_seconds }
      : {}),
    ...(stored.alarm_quorum_mode === null
      ? {
          alarm_quorum_mode: effective.alarm_quorum_mode as QuorumMode,
          alarm_quorum_value: effective.alarm_quorum_value,
        }
      : {}),
  };
}

/** The policy that would be in force with what the form holds. */
export function policyInForm(written: MonitorValues['policy'], inherited: EffectivePolicy): EffectivePolicy {
  return effectivePolicy({
    monitor: {
      alarm_consecutive: filled(written.alarm_consecutive),
      alarm_min_duration_seconds: filled(written.alarm_min_duration_seconds),
      alarm_quorum_mode: filled(written.alarm_quorum_mode) as QuorumMode | null,
      alarm_quorum_value: filled(written.alarm_quorum_value),
      recovery_consecutive: filled(written.recovery_consecutive),
      recovery_quorum_mode: filled(written.recovery_quorum_mode) as QuorumMode | null,
      recovery_quorum_value: filled(written.recovery_quorum_value),
      failed_interval_seconds: filled(written.failed_interval_seconds),
    },
    profile: inherited,
  });
}

/** Where the values in force come from: this monitor as soon as the form sets an alarm field. */
export function sourceInForm(written: MonitorValues['policy'], stored: Policy | null): PolicySource {
  const own =
    written.alarm_consecutive !== '' ||
    written.alarm_min_duration_seconds !== '' ||
    written.alarm_quorum_mode !== '' ||
    written.alarm_quorum_value !== '';
  if (own) return 'monitor';
  const source = stored?.effective_alarm.source as PolicySource | undefined;
  return source === undefined || source === 'monitor' ? 'platform' : source;
}
