// The form values of an alert profile or the alarm standard: '' for an inherited field.
import { createFormContext } from '@mantine/form';
import type { TFunction } from 'i18next';
import type { AlarmStandard, AlertProfile } from '#src/alarm-policy/contract.ts';
import type { QuorumMode } from '#src/domain/names.ts';
import { type AlarmFields, type PolicyFields, takesValue } from '#src/domain/policy.ts';
import { type Amount, orEmpty } from '../monitors/form/amounts.ts';
import { labelOf as labelOfMonitor } from '../monitors/form/field-labels.ts';
import { monitorLevel } from '../monitors/form/policy-levels.ts';
import { NO_POLICY, type PolicyValues } from '../monitors/form/policy-values.ts';

/** Only a profile has a `name`, and only the standard `min_regions`. */
export type PolicyFormValues = PolicyValues & { name: string; min_regions: Amount };

export const [PolicyFormProvider, usePolicyForm, useForm] = createFormContext<PolicyFormValues>();

export const NEW_PROFILE: PolicyFormValues = { ...NO_POLICY, name: '', min_regions: '' };
export const NEW_STANDARD: PolicyFormValues = { ...NO_POLICY, name: '', min_regions: 2 };

/** The form values of an existing profile or standard. */
export function policyFormValues(kept: Partial<AlertProfile> & Partial<AlarmStandard>): PolicyFormValues {
  const values = { ...NEW_PROFILE };
  for (const field of Object.keys(values) as (keyof PolicyFormValues)[]) {
    if (field !== 'alert_profile_id') Object.assign(values, { [field]: orEmpty(kept[field]) });
  }
  return values;
}

/** The label of a field. */
export function labelOf(t: TFunction, field: string): string | undefined {
  if (field === 'name') return t('alarmPolicy.name');
  return field === 'min_regions' ? t('alarmPolicy.minRegions') : labelOfMonitor(t, `policy.${field}`);
}

/** Every field of a profile as it is sent; null if it is inherited. */
export const writtenFields = (values: PolicyFormValues): PolicyFields => monitorLevel(values);

/** The fields of a standard as they are sent. */
export function writtenAlarm(values: PolicyFormValues): AlarmFields {
  const { alarm_consecutive, alarm_min_duration_seconds, alarm_quorum_mode, alarm_quorum_value } =
    writtenFields(values);
  return { alarm_consecutive, alarm_min_duration_seconds, alarm_quorum_mode, alarm_quorum_value };
}

/** The quorum values that the chosen mode needs and that are missing. */
export function missingValues(values: PolicyFormValues): (keyof PolicyFormValues)[] {
  return (['alarm', 'recovery'] as const)
    .filter((side) => {
      const mode = values[`${side}_quorum_mode`];
      return mode !== '' && takesValue(mode as QuorumMode) && values[`${side}_quorum_value`] === '';
    })
    .map((side) => `${side}_quorum_value` as const);
}
