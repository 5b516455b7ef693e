import { NumberInput, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { QUORUM_MODES, type QuorumMode } from '../../../../../src/domain/names.ts';
import { takesValue } from '../../../../../src/domain/policy.ts';
import type { Policy } from '../../../../../src/monitors/contract.ts';
import { useFormats } from '../../../format.ts';
import styles from '../../../ui/Form.module.css';
import own from './AlarmSection.module.css';
import { alarmSentences } from './alarm-words.ts';
import { useMonitorForm } from './form-context.ts';
import { inheritedPolicy, policyInForm, sourceInForm } from './policy-in-form.ts';

/** When to alarm: fields left empty are inherited, and the sentences above say what is in force. */
export function AlarmSection({ stored }: { stored: Policy | null }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const form = useMonitorForm();
  const { policy, regions, interval_seconds } = form.values;
  const inherited = inheritedPolicy(stored);
  const inForce = policyInForm(policy, inherited);
  const sentences = alarmSentences(t, formats, inForce, regions.length, Number(interval_seconds));
  const inheritedHint = (value: string) => t('alarm.inherited', { value });

  return (
    <>
      <div className={own.words} aria-live="polite">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <p className={own.source}>{t(`alarm.source.${sourceInForm(policy, stored)}`)}</p>
      </div>
      <div className={styles.row}>
        <NumberInput
          label={t('alarm.consecutive')}
          min={1}
          max={100}
          placeholder={inheritedHint(formats.integer(inherited.alarm_consecutive))}
          {...form.getInputProps('policy.alarm_consecutive')}
        />
        <NumberInput
          label={t('alarm.minDuration')}
          min={0}
          max={86_400}
          suffix=" s"
          placeholder={inheritedHint(formats.duration(inherited.alarm_min_duration_seconds))}
          {...form.getInputProps('policy.alarm_min_duration_seconds')}
        />
      </div>
      <Quorum side="alarm" inherited={inherited.alarm_quorum_mode} />
      <div className={styles.row}>
        <NumberInput
          label={t('alarm.recoveryConsecutive')}
          min={1}
          max={100}
          placeholder={inheritedHint(formats.integer(inherited.recovery_consecutive))}
          {...form.getInputProps('policy.recovery_consecutive')}
        />
        <NumberInput
          label={t('alarm.failedInterval')}
          min={1}
          max={86_400}
          suffix=" s"
          placeholder={inheritedHint(formats.duration(inherited.failed_interval_seconds))}
          {...form.getInputProps('policy.failed_interval_seconds')}
        />
      </div>
      <Quorum side="recovery" inherited={inherited.recovery_quorum_mode} />
    </>
  );
}

function Quorum({ side, inherited }: { side: 'alarm' | 'recovery'; inherited: QuorumMode }) {
  const { t } = useTranslation();
  const form = useMonitorForm();
  const mode = form.values.policy[`${side}_quorum_mode`];
  const inForce = (mode === '' ? inherited : mode) as QuorumMode;
  return (
    <div className={styles.row}>
      <Select
        label={t(`alarm.${side}Quorum`)}
        allowDeselect={false}
        data={[
          { value: '', label: t('alarm.inherited', { value: t(`alarm.mode.${inherited}`) }) },
          ...QUORUM_MODES.map((value) => ({ value: value as string, label: t(`alarm.mode.${value}`) })),
        ]}
        {...form.getInputProps(`policy.${side}_quorum_mode`)}
        onChange={(value) => {
          form.setFieldValue(`policy.${side}_quorum_mode`, value ?? '');
          if (value === null || value === '' || !takesValue(value as QuorumMode)) {
            form.setFieldValue(`policy.${side}_quorum_value`, '');
          }
        }}
      />
      {takesValue(inForce) && mode !== '' ? (
        <NumberInput
          label={t(inForce === 'percent' ? 'alarm.quorumPercent' : 'alarm.quorumCount')}
          min={1}
          max={inForce === 'percent' ? 100 : Math.max(1, form.values.regions.length)}
          {...form.getInputProps(`policy.${side}_quorum_value`)}
        />
      ) : null}
    </div>
  );
}
