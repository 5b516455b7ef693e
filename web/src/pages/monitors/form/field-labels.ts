// The labels of fields that most monitors have, by their path in the form.
import type { TFunction } from 'i18next';

const LABELS = {
  name: 'form.name',
  tags: 'form.tags',
  interval_seconds: 'form.interval',
  regions: 'form.regions',
  severity: 'alarm.severity',
  depends_on: 'alarm.dependsOn',
  'config.url': 'form.url',
  'config.method': 'form.method',
  'config.headers': 'form.headers',
  'config.body': 'form.body',
  'alarm_gate.origins': 'gate.origins',
  'alarm_gate.grace_seconds': 'gate.grace',
  'policy.alert_profile_id': 'alarm.profile',
  'policy.alarm_consecutive': 'alarm.consecutive',
  'policy.alarm_min_duration_seconds': 'alarm.minDuration',
  'policy.alarm_quorum_mode': 'alarm.alarmQuorum',
  'policy.alarm_quorum_value': 'alarm.alarmQuorum',
  'policy.recovery_consecutive': 'alarm.recoveryConsecutive',
  'policy.recovery_quorum_mode': 'alarm.recoveryQuorum',
  'policy.recovery_quorum_value': 'alarm.recoveryQuorum',
  'policy.failed_interval_seconds': 'alarm.failedInterval',
} as const;

const isLabelled = (path: string): path is keyof typeof LABELS => path in LABELS;

/** undefined: a field of one type only. */
export const labelOf = (t: TFunction, path: string): string | undefined =>
  isLabelled(path) ? t(LABELS[path]) : undefined;
