// The policy as sentences: the conditions for an incident, and for its end.
import type { TFunction } from 'i18next';
import type { PolicySource, QuorumMode } from '#src/domain/names.ts';
import type { EffectivePolicy } from '#src/domain/policy.ts';
import { requiredForAlarm, requiredForRecovery } from '#src/domain/quorum.ts';
import { everyWords } from '#web/every-words.ts';
import type { Formats } from '#web/format.ts';
import type { PolicyField } from './policy-levels.ts';

function where(t: TFunction, required: number, total: number): string {
  return required >= total ? t('alarm.whereAll', { total }) : t('alarm.whereSome', { required, total });
}

/**
 * Sentences that explain `policy` for a monitor with `regions` regions, all of them online; 0 for types that regions do not
 * check. A group has the confirmed status of its members, so it counts no results (docs/rules/confirmation.md#groups).
 */
export function alarmSentences(
  t: TFunction,
  formats: Formats,
  policy: EffectivePolicy,
  regions: number | 'group',
  intervalSeconds: number,
): string[] {
  const lasting =
    policy.alarm_min_duration_seconds > 0
      ? t('alarm.lasting', { duration: formats.durationInWords(policy.alarm_min_duration_seconds) })
      : '';
  if (regions === 'group') return [t('alarm.opensGroup', { lasting }), t('alarm.resolvesGroup')];
  const faster =
    regions > 0 && policy.failed_interval_seconds < intervalSeconds
      ? [t('alarm.faster', { every: everyWords(t, formats, policy.failed_interval_seconds) })]
      : [];
  // A single region has no others to agree with.
  if (regions <= 1)
    return [
      t('alarm.opensPlain', { count: policy.alarm_consecutive, lasting }),
      t('alarm.resolvesPlain', { count: policy.recovery_consecutive }),
      ...faster,
    ];
  const alarm = { mode: policy.alarm_quorum_mode, value: policy.alarm_quorum_value };
  const recovery = { mode: policy.recovery_quorum_mode, value: policy.recovery_quorum_value };
  return [
    t('alarm.opens', {
      count: policy.alarm_consecutive,
      where: where(t, requiredForAlarm(alarm, regions, regions), regions),
      lasting,
    }),
    t('alarm.resolves', {
      count: policy.recovery_consecutive,
      where: where(t, requiredForRecovery(recovery, regions, regions), regions),
    }),
    ...faster,
  ];
}

/** "this monitor", "alert profile “Night”", "organization standard", "platform default". */
export function sourceWords(t: TFunction, source: PolicySource, profileName: string | null): string {
  return t(`alarm.from.${source}`, { name: profileName ?? '' });
}

/** One value of the policy in words: "the majority", "2 regions", "5 minutes". */
export function valueWords(
  t: TFunction,
  formats: Formats,
  policy: EffectivePolicy,
  field: Exclude<PolicyField, 'alarm_quorum_value' | 'recovery_quorum_value'>,
): string {
  switch (field) {
    case 'alarm_consecutive':
    case 'recovery_consecutive':
      return formats.integer(policy[field]);
    case 'alarm_min_duration_seconds':
      return policy[field] === 0 ? t('alarm.atOnce') : formats.durationInWords(policy[field]);
    case 'failed_interval_seconds':
      return formats.durationInWords(policy[field]);
    case 'alarm_quorum_mode':
      return quorumWords(t, policy.alarm_quorum_mode, policy.alarm_quorum_value);
    case 'recovery_quorum_mode':
      return quorumWords(t, policy.recovery_quorum_mode, policy.recovery_quorum_value);
  }
}

function quorumWords(t: TFunction, mode: QuorumMode, value: number | null): string {
  if (mode === 'count') return t('alarm.countRegions', { count: value ?? 0 });
  if (mode === 'percent') return t('alarm.percentRegions', { value: value ?? 0 });
  return t(`alarm.mode.${mode}`);
}
