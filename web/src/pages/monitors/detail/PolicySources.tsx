import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import { sourceWords, valueWords } from '../form/alarm-words.ts';
import { type Inherited, monitorLevel, policyInForce, sourceOf } from '../form/policy-levels.ts';
import type { PolicyValues } from '../form/policy-values.ts';
import styles from './PolicySources.module.css';

/** `places`: the least number of regions for which the field matters; a single region has no others to agree with. */
const FIELDS = [
  { field: 'alarm_consecutive', label: 'alarm.consecutive', places: 0 },
  { field: 'alarm_min_duration_seconds', label: 'alarm.minDuration', places: 0 },
  { field: 'alarm_quorum_mode', label: 'alarm.alarmQuorum', places: 2 },
  { field: 'recovery_consecutive', label: 'alarm.recoveryConsecutive', places: 0 },
  { field: 'recovery_quorum_mode', label: 'alarm.recoveryQuorum', places: 2 },
  { field: 'failed_interval_seconds', label: 'alarm.failedInterval', places: 1 },
] as const;

export const fieldsFor = (places: number) => FIELDS.filter((each) => places >= each.places);

type Props = {
  own: PolicyValues;
  inherited: Inherited;
  /** The monitor's number of regions; 0 for types without. */
  places: number;
};

/** Every value of the effective policy, with the level that set it. */
export function PolicySources({ own, inherited, places }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const inForce = policyInForce(own, inherited);
  const levels = { ...inherited, monitor: monitorLevel(own) };
  return (
    <dl className={styles.values} aria-label={t('alarm.sources')}>
      {fieldsFor(places).map(({ field, label }) => {
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
