import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import { sourceWords, valueWords } from '../form/alarm-words.ts';
import { type InheritedPolicy, monitorLevel, policyInForce, sourceOf } from '../form/policy-levels.ts';
import type { PolicyValues } from '../form/policy-values.ts';
import styles from './PolicySources.module.css';

/** Results in a row, of which a group counts none. */
const COUNTED = ['alarm_consecutive', 'recovery_consecutive'];

/** `minRegions`: the least number of regions for which the field matters; a single region has no others to agree with. */
const FIELDS = [
  { field: 'alarm_consecutive', label: 'alarm.consecutive', minRegions: 0 },
  { field: 'alarm_min_duration_seconds', label: 'alarm.minDuration', minRegions: 0 },
  { field: 'alarm_quorum_mode', label: 'alarm.alarmQuorum', minRegions: 2 },
  { field: 'recovery_consecutive', label: 'alarm.recoveryConsecutive', minRegions: 0 },
  { field: 'recovery_quorum_mode', label: 'alarm.recoveryQuorum', minRegions: 2 },
  { field: 'failed_interval_seconds', label: 'alarm.failedInterval', minRegions: 1 },
] as const;

export const fieldsFor = (regionCount: number, isGroup: boolean) =>
  FIELDS.filter(
    ({ field, minRegions }) => regionCount >= minRegions && !(isGroup && COUNTED.includes(field)),
  );

type Props = {
  own: PolicyValues;
  inherited: InheritedPolicy;
  /** The monitor's number of regions; 0 for types without. */
  regionCount: number;
  isGroup: boolean;
};

/** Every value of the effective policy, with the level that set it. */
export function PolicySources({ own, inherited, regionCount, isGroup }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const inForce = policyInForce(own, inherited);
  const levels = { ...inherited, monitor: monitorLevel(own) };
  return (
    <dl className={styles.values} aria-label={t('alarm.sources')}>
      {fieldsFor(regionCount, isGroup).map(({ field, label }) => {
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
