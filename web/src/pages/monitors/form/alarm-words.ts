// The policy as sentences: what it takes for an incident, and what ends it.
import type { TFunction } from 'i18next';
import type { EffectivePolicy } from '../../../../../src/domain/policy.ts';
import { requiredForAlarm, requiredForRecovery } from '../../../../../src/domain/quorum.ts';
import type { Formats } from '../../../format.ts';

function where(t: TFunction, required: number, total: number): string {
  if (total <= 1) return t('alarm.whereOne');
  return required >= total ? t('alarm.whereAll', { total }) : t('alarm.whereSome', { required, total });
}

/** Sentences that say what `policy` means for a monitor with `regions` regions, all of them online. */
export function alarmSentences(
  t: TFunction,
  formats: Formats,
  policy: EffectivePolicy,
  regions: number,
  intervalSeconds: number,
): string[] {
  const total = Math.max(1, regions);
  const alarm = { mode: policy.alarm_quorum_mode, value: policy.alarm_quorum_value };
  const recovery = { mode: policy.recovery_quorum_mode, value: policy.recovery_quorum_value };
  const lasting =
    policy.alarm_min_duration_seconds > 0
      ? t('alarm.lasting', { duration: formats.durationInWords(policy.alarm_min_duration_seconds) })
      : '';
  const sentences = [
    t('alarm.opens', {
      count: policy.alarm_consecutive,
      where: where(t, requiredForAlarm(alarm, total, total), total),
      lasting,
    }),
    t('alarm.resolves', {
      count: policy.recovery_consecutive,
      where: where(t, requiredForRecovery(recovery, total, total), total),
    }),
  ];
  if (policy.failed_interval_seconds < intervalSeconds) {
    sentences.push(t('alarm.faster', { duration: formats.durationInWords(policy.failed_interval_seconds) }));
  }
  return sentences;
}
