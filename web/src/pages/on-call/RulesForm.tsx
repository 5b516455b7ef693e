import { Button, NumberInput, SegmentedControl, Select, Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Member } from '#src/members/contract.ts';
import { type OnCallSettings, putOnCallSettings } from '#src/on-call/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import stack from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { atFields, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './RulesForm.module.css';
import { RulesSentences } from './RulesSentences.tsx';
import { BROWSER_ZONE, zoneOptions } from './zones.ts';

type Values = {
  enabled: boolean;
  timezone: string;
  rotation_mode: 'weekly' | 'manual';
  manual_duty_user_id: string | null;
  channel_step_minutes: number | string;
  escalation_stage1_minutes: number | string;
  escalation_stage2_minutes: number | string;
  reminder_minutes: number | string;
};

/** Bounds of the times in minutes (docs/rules/on-call-and-alarms.md#settings). */
const BOUNDS = {
  channel_step_minutes: [0, 120],
  escalation_stage1_minutes: [1, 1440],
  escalation_stage2_minutes: [1, 1440],
  reminder_minutes: [0, 1440],
} as const;
/** Between none and this many a reminder would come too soon. */
const LEAST_REMINDER = 5;
type TimeField = keyof typeof BOUNDS;
const TIMES = Object.keys(BOUNDS) as TimeField[];
/** More zones than fit on a screen are found by typing. */
const SHOWN_ZONES = 80;

const valuesOf = (settings: OnCallSettings): Values => ({
  enabled: settings.enabled,
  timezone: settings.timezone,
  rotation_mode: settings.rotation_mode,
  manual_duty_user_id: settings.manual_duty_user_id,
  channel_step_minutes: settings.channel_step_minutes,
  escalation_stage1_minutes: settings.escalation_stage1_minutes,
  escalation_stage2_minutes: settings.escalation_stage2_minutes,
  reminder_minutes: settings.reminder_minutes,
});

/** The rules of on-call, for those who may write them; the sentences below say what they come to as they are typed. */
export function RulesForm({ settings, people }: { settings: OnCallSettings; people: Member[] }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const form = useForm<Values>({
    initialValues: valuesOf(settings),
    validate: (values) => ({
      ...Object.fromEntries(TIMES.flatMap((field) => outside(values, field))),
      ...(Number(values.escalation_stage2_minutes) < Number(values.escalation_stage1_minutes)
        ? { escalation_stage2_minutes: t('onCall.rules.stagesOrder') }
        : {}),
    }),
  });
  // Changed elsewhere: what nobody has typed over follows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new settings count, not a new form
  useEffect(() => {
    if (!form.isDirty()) form.initialize(valuesOf(settings));
  }, [settings]);

  function outside(values: Values, field: TimeField): [TimeField, string][] {
    const [min, max] = BOUNDS[field];
    const value = values[field];
    const fits = value !== '' && Number(value) >= min && Number(value) <= max;
    if (field === 'reminder_minutes' && fits && Number(value) > 0 && Number(value) < LEAST_REMINDER)
      return [[field, t('onCall.rules.reminderBounds')]];
    return fits ? [] : [[field, t('onCall.rules.between', { min, max })]];
  }

  const write = useWrite({ show: atFields(form) });

  function save(values: Values) {
    const times = Object.fromEntries(TIMES.map((field) => [field, Number(values[field])]));
    const body = { ...values, ...times } as never;
    return write.run(async () => {
      await send(putOnCallSettings, { params: { org_id: orgId }, body }, () => form.resetDirty());
      notifications.show({ message: t('onCall.rules.saved') });
    });
  }

  const { timezone, rotation_mode } = form.values;
  const complete = TIMES.every((field) => outside(form.values, field).length === 0);
  return (
    <form className={stack.stack} noValidate onSubmit={form.onSubmit((values) => void save(values))}>
      <Refused write={write} />
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
                {t('onCall.rules.zoneOfBrowser', { zone: BROWSER_ZONE.replaceAll('_', ' ') })}
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
      <div className={stack.actions}>
        <Button variant="default" disabled={!form.isDirty() || write.busy} onClick={() => form.reset()}>
          {t('ui.cancel')}
        </Button>
        <Button type="submit" loading={write.busy} disabled={!form.isDirty()}>
          {t('ui.save')}
        </Button>
      </div>
    </form>
  );
}
