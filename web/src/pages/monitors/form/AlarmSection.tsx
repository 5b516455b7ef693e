import { NumberInput, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { INCIDENT_SEVERITIES, type IncidentSeverity } from '#src/domain/names.ts';
import { useFormats } from '#web/format.ts';
import styles from '#web/ui/Form.module.css';
import { isRegionless } from '../monitor-types.ts';
import { PolicyReplay } from '../replay/PolicyReplay.tsx';
import { alarmSentences, sourceWords, valueWords } from './alarm-words.ts';
import { useEditedMonitor } from './edited-monitor.ts';
import { useMonitorForm } from './form-context.ts';
import { GateFields } from './GateFields.tsx';
import { MonitorsSelect } from './MonitorsSelect.tsx';
import { inheritedPolicy, type PolicyField, policyInForce, sourceOf } from './policy-levels.ts';
import { QuorumFields } from './QuorumFields.tsx';
import own from './Section.module.css';
import { useInherited } from './use-inherited.ts';

/** The alarm policy: empty fields are inherited, and the sentences above describe the effective values. */
export function AlarmSection({ opened, gateOpened }: { opened: boolean; gateOpened: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const form = useMonitorForm();
  const { policy, regions, interval_seconds, type } = form.values;
  const edited = useEditedMonitor();
  const { inherited, profiles, isPending, error } = useInherited(policy.alert_profile_id);
  const below = inheritedPolicy(inherited);
  const inForce = policyInForce(policy, inherited);
  const isGroup = type === 'group';
  const places = isRegionless(type) ? 0 : Math.max(1, regions.length);
  const from = (field: PolicyField) => {
    const source = sourceWords(t, sourceOf(field, inherited), inherited.profileName);
    return t('alarm.inheritedFrom', { source });
  };
  /** A number that may be inherited. */
  const number = (field: Exclude<PolicyField, `${string}_mode` | `${string}_value`>, label: string) => ({
    label,
    min: 1,
    allowDecimal: false,
    placeholder: valueWords(t, formats, below, field),
    description: policy[field] === '' ? from(field) : t('alarm.setBy'),
    ...form.getInputProps(`policy.${field}`),
  });

  return (
    <>
      <div className={own.sentences} aria-live="polite">
        {alarmSentences(t, formats, inForce, isGroup ? 'group' : places, Number(interval_seconds)).map(
          (sentence) => (
            <p key={sentence}>{sentence}</p>
          ),
        )}
      </div>
      {edited === null || isGroup ? null : (
        <PolicyReplay monitor={edited} policy={policy} inherited={inherited} isShown={opened && !isPending} />
      )}
      <Select
        className={own.profile}
        label={t('alarm.profile')}
        description={error === null ? t('alarm.profileHint') : t('alarm.profilesUnread')}
        allowDeselect={false}
        data={[
          { value: '', label: t('alarm.noProfile') },
          ...profiles.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        {...form.getInputProps('policy.alert_profile_id')}
        onChange={(value) => form.setFieldValue('policy.alert_profile_id', value ?? '')}
      />
      <div className={styles.row}>
        {isGroup ? null : <NumberInput max={100} {...number('alarm_consecutive', t('alarm.consecutive'))} />}
        <NumberInput
          {...number('alarm_min_duration_seconds', t('alarm.minDuration'))}
          min={0}
          max={86_400}
          suffix=" s"
        />
      </div>
      {places === 0 ? null : <QuorumFields side="alarm" inherited={below} from={from('alarm_quorum_mode')} />}
      <div className={styles.row}>
        {isGroup ? null : (
          <NumberInput max={100} {...number('recovery_consecutive', t('alarm.recoveryConsecutive'))} />
        )}
        {places === 0 ? null : (
          <NumberInput
            max={86_400}
            suffix=" s"
            {...number('failed_interval_seconds', t('alarm.failedInterval'))}
          />
        )}
      </div>
      {places === 0 ? null : (
        <QuorumFields side="recovery" inherited={below} from={from('recovery_quorum_mode')} />
      )}
      <Select
        className={own.profile}
        label={t('alarm.severity')}
        description={t(`alarm.severityMeans.${form.values.severity as IncidentSeverity}`)}
        allowDeselect={false}
        data={INCIDENT_SEVERITIES.map((value) => ({ value, label: t(`incidents.severity.${value}`) }))}
        {...form.getInputProps('severity')}
      />
      <MonitorsSelect
        path="depends_on"
        label={t('alarm.dependsOn')}
        hint={t('alarm.dependsOnHint')}
        most={10}
      />
      <GateFields startOpened={gateOpened} />
    </>
  );
}
