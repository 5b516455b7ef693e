import { NumberInput, SegmentedControl, Select, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Member } from '#src/members/contract.ts';
import stack from '#web/ui/Form.module.css';
import styles from './RulesForm.module.css';
import { RulesSentences } from './RulesSentences.tsx';
import { areTimesComplete, BOUNDS, type RulesForm as RulesFormState, TIMES } from './use-rules-form.ts';
import { BROWSER_ZONE, SHOWN_ZONES, zoneName, zoneOptions } from './zones.ts';

/** The on-call rules for people who may edit them; the sentences below follow the typing. */
export function RulesForm({ form, people }: { form: RulesFormState; people: Member[] }) {
  const { t } = useTranslation();
  const { timezone, rotation_mode } = form.values;
  const complete = areTimesComplete(form.values);
  return (
    <div className={stack.stack}>
      <Switch
        label={t('onCall.rules.enabled')}
        description={t('onCall.rules.enabledHint')}
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
      <div className={styles.mode}>
        <span className={styles.label} id="rotation-mode">
          {t('onCall.rules.mode')}
        </span>
        <SegmentedControl
          className={styles.choice}
          aria-labelledby="rotation-mode"
          data={[
            { value: 'weekly', label: t('onCall.rules.weekly') },
            { value: 'manual', label: t('onCall.rules.manual') },
          ]}
          {...form.getInputProps('rotation_mode')}
        />
        <p className={styles.hint}>
          {t(rotation_mode === 'weekly' ? 'onCall.rules.weeklyWords' : 'onCall.rules.manualWords')}
        </p>
      </div>
      <div className={stack.row}>
        {rotation_mode === 'manual' ? (
          <Select
            label={t('onCall.rules.manualPerson')}
            placeholder={t('onCall.nobody')}
            searchable
            clearable
            nothingFoundMessage={t('shell.nothingFound')}
            data={people.map((person) => ({ value: person.user_id, label: person.name }))}
            {...form.getInputProps('manual_duty_user_id')}
          />
        ) : null}
        <Select
          label={t('onCall.rules.zone')}
          description={
            timezone === BROWSER_ZONE ? (
              t('onCall.rules.zoneHint')
            ) : (
              <button
                type="button"
                className={styles.suggest}
                onClick={() => form.setFieldValue('timezone', BROWSER_ZONE)}
              >
                {t('onCall.rules.zoneOfBrowser', { zone: zoneName(BROWSER_ZONE) })}
              </button>
            )
          }
          searchable
          allowDeselect={false}
          limit={SHOWN_ZONES}
          nothingFoundMessage={t('shell.nothingFound')}
          data={zoneOptions(timezone)}
          {...form.getInputProps('timezone')}
        />
      </div>
      <div className={styles.times}>
        {TIMES.map((field) => (
          <NumberInput
            key={field}
            label={t(`onCall.rules.${field}`)}
            suffix={` ${t('onCall.rules.minutes')}`}
            min={BOUNDS[field][0]}
            max={BOUNDS[field][1]}
            clampBehavior="none"
            allowDecimal={false}
            allowNegative={false}
            {...form.getInputProps(field)}
          />
        ))}
      </div>
      {complete ? (
        <RulesSentences
          times={{
            channel_step_minutes: Number(form.values.channel_step_minutes),
            escalation_stage1_minutes: Number(form.values.escalation_stage1_minutes),
            escalation_stage2_minutes: Number(form.values.escalation_stage2_minutes),
            reminder_minutes: Number(form.values.reminder_minutes),
          }}
        />
      ) : null}
    </div>
  );
}
