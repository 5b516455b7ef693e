import { useTranslation } from 'react-i18next';
import type { AlarmStandard, AlertProfile } from '#src/alarm-policy/contract.ts';
import type { EffectivePolicy } from '#src/domain/policy.ts';
import { useFormats } from '#web/format.ts';
import { valueWords } from '../monitors/form/alarm-words.ts';
import styles from './SetFields.module.css';

const FIELDS = [
  { field: 'alarm_consecutive', label: 'alarm.consecutive' },
  { field: 'alarm_min_duration_seconds', label: 'alarm.minDuration' },
  { field: 'alarm_quorum_mode', label: 'alarm.alarmQuorum', value: 'alarm_quorum_value' },
  { field: 'recovery_consecutive', label: 'alarm.recoveryConsecutive' },
  { field: 'recovery_quorum_mode', label: 'alarm.recoveryQuorum', value: 'recovery_quorum_value' },
  { field: 'failed_interval_seconds', label: 'alarm.failedInterval' },
] as const;

type Props = {
  /** The fields that are set, and null for the others. */
  set: Partial<AlertProfile> & Partial<AlarmStandard>;
  /** The effective policy. */
  inForce: EffectivePolicy;
};

/** The fields that a profile or the standard sets itself, in words. */
export function SetFields({ set, inForce }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const own = FIELDS.filter(
    ({ field, ...rest }) => set[field] != null || ('value' in rest && set[rest.value] != null),
  );
  if (own.length === 0) return <p className={styles.nothing}>{t('alarmPolicy.setsNothing')}</p>;
  return (
    <dl className={styles.fields}>
      {own.map(({ field, label }) => (
        <div key={field}>
          <dt>{t(label)}</dt>
          <dd>{valueWords(t, formats, inForce, field)}</dd>
        </div>
      ))}
    </dl>
  );
}
