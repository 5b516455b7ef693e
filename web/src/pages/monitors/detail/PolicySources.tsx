import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import { sourceWords, valueWords } from '../form/alarm-words.ts';
import { type Inherited, monitorLevel, policyInForce, sourceOf } from '../form/policy-levels.ts';
import type { PolicyValues } from '../form/policy-values.ts';
import styles from './PolicySources.module.css';

const FIELDS = [
  { field: 'alarm_consecutive', label: 'alarm.consecutive', regional: false },
  { field: 'alarm_min_duration_seconds', label: 'alarm.minDuration', regional: false },
  { field: 'alarm_quorum_mode', label: 'alarm.alarmQuorum', regional: true },
  { field: 'recovery_consecutive', label: 'alarm.recoveryConsecutive', regional: false },
  { field: 'recovery_quorum_mode', label: 'alarm.recoveryQuorum', regional: true },
  { field: 'failed_interval_seconds', label: 'alarm.failedInterval', regional: true },
] as const;

type Props = {
  own: PolicyValues;
  inherited: Inherited;
  /** Regions of the monitor; 0 for the types without. */
  places: number;
};

/** Every value of the policy in force, and the level that set it. */
export function PolicySources({ own, inherited, places }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const inForce = policyInForce(own, inherited);
  const levels = { ...inherited, monitor: monitorLevel(own) };
  return (
    <dl className={styles.values} aria-label={t('alarm.sources')}>
      {FIELDS.filter(({ regional }) => places > 0 || !regional).map(({ field, label }) => {
        const source = sourceOf(field, levels);
        return (
          <div key={field} className={styles.value} data-source={source}>
            <dt>{t(label)}</dt>
            <dd>
              <span className={styles.amount}>{valueWords(t, formats, inForce, field)}</span>
              <span className={styles.source}>{sourceWords(t, source, inherited.profileName)}</span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
