// The on-call rules as a form: validation and request body.
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import type { OnCallSettings, putOnCallSettings } from '#src/on-call/contract.ts';
import type { BodyOf } from '#src/platform/contract.ts';

export type RulesValues = {
  enabled: boolean;
  timezone: string;
  rotation_mode: 'weekly' | 'manual';
  manual_duty_user_id: string | null;
  channel_step_minutes: number | string;
  escalation_stage1_minutes: number | string;
  escalation_stage2_minutes: number | string;
  reminder_minutes: number | string;
};

/** Bounds in minutes (docs/rules/on-call-and-alarms.md#settings). */
export const BOUNDS = {
  channel_step_minutes: [0, 120],
  escalation_stage1_minutes: [1, 1440],
  escalation_stage2_minutes: [1, 1440],
  reminder_minutes: [0, 1440],
} as const;
/** A reminder interval between zero and this is too short. */
const MIN_REMINDER = 5;
type TimeField = keyof typeof BOUNDS;
export const TIMES = Object.keys(BOUNDS) as TimeField[];

export const valuesOf = (settings: OnCallSettings): RulesValues => ({
  enabled: settings.enabled,
  timezone: settings.timezone,
  rotation_mode: settings.rotation_mode,
  manual_duty_user_id: settings.manual_duty_user_id,
  channel_step_minutes: settings.channel_step_minutes,
  escalation_stage1_minutes: settings.escalation_stage1_minutes,
  escalation_stage2_minutes: settings.escalation_stage2_minutes,
  reminder_minutes: settings.reminder_minutes,
});

/** The request body, once the values are valid. */
export function rulesBody(values: RulesValues): RulesValues & BodyOf<typeof putOnCallSettings> {
  const times = Object.fromEntries(TIMES.map((field) => [field, Number(values[field])]));
  return { ...values, ...times } as RulesValues & BodyOf<typeof putOnCallSettings>;
}

/** Whether a value is a number within its bounds; `problem` says why not, as a key of the texts. */
function problemOf(values: RulesValues, field: TimeField): 'reminderBounds' | 'between' | null {
  const [min, max] = BOUNDS[field];
  const value = values[field];
  const fits = value !== '' && Number(value) >= min && Number(value) <= max;
  if (field === 'reminder_minutes' && fits && Number(value) > 0 && Number(value) < MIN_REMINDER)
    return 'reminderBounds';
  return fits ? null : 'between';
}

/** Whether the values are complete enough for the sentences below the fields. */
export const areTimesComplete = (values: RulesValues): boolean =>
  TIMES.every((field) => problemOf(values, field) === null);

export type RulesForm = ReturnType<typeof useRulesForm>;

export function useRulesForm(settings: OnCallSettings) {
  const { t } = useTranslation();
  return useForm<RulesValues>({
    initialValues: valuesOf(settings),
    validate: (values) => ({
      ...Object.fromEntries(
        TIMES.flatMap((field) => {
          const problem = problemOf(values, field);
          const [min, max] = BOUNDS[field];
          return problem === null ? [] : [[field, t(`onCall.rules.${problem}`, { min, max })]];
        }),
      ),
      ...(Number(values.escalation_stage2_minutes) < Number(values.escalation_stage1_minutes)
        ? { escalation_stage2_minutes: t('onCall.rules.stagesOrder') }
        : {}),
    }),
  });
}

/** Shows other values, as if the form had been opened with them; `shown`: as changed since. */
export function startAgain(form: RulesForm, values: RulesValues, shown = values): void {
  form.setValues(shown);
  form.resetDirty(values);
}
