import { Button, NumberInput, TextInput } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AlarmStandard } from '#src/alarm-policy/contract.ts';
import { type AlarmFields, effectivePolicy } from '#src/domain/policy.ts';
import { ChangedMeanwhile } from '#web/meanwhile/ChangedMeanwhile.tsx';
import { type Meanwhile, useMeanwhile } from '#web/meanwhile/use-meanwhile.ts';
import stack from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { atFields, type Refusal, useWrite } from '#web/use-write.ts';
import { AmountField } from './AmountField.tsx';
import { Levels } from './levels.ts';
import styles from './PolicyForm.module.css';
import { PolicySentences } from './PolicySentences.tsx';
import {
  labelOf,
  missingValues,
  PolicyFormProvider,
  type PolicyFormValues,
  useForm,
  writtenFields,
} from './policy-form.ts';
import { QuorumField } from './QuorumField.tsx';

type Props = {
  kind: 'profile' | 'standard';
  initial: PolicyFormValues;
  /** The values as last read from the server, while something existing is edited. */
  stored?: PolicyFormValues;
  /** The organization's standard, which a profile inherits. */
  standard: AlarmStandard | null;
  submitLabel: string;
  /** Sends the values; a thrown ApiError is shown at the field it names. */
  onSubmit: (values: PolicyFormValues, meanwhile: Meanwhile<PolicyFormValues>) => Promise<void>;
  onCancel: () => void;
};

/** A profile or the standard. Empty fields are inherited, and the sentences describe the effective policy. */
export function PolicyForm({ kind, initial, stored, standard, submitLabel, onSubmit, onCancel }: Props) {
  const { t } = useTranslation();
  const element = useRef<HTMLFormElement>(null);
  const isProfile = kind === 'profile';
  const form = useForm({
    initialValues: initial,
    validate: (values) => ({
      ...(isProfile && values.name.trim() === '' ? { name: t('alarmPolicy.nameNeeded') } : {}),
      ...(!isProfile && values.min_regions === '' ? { min_regions: t('alarmPolicy.regionsNeeded') } : {}),
      ...Object.fromEntries(missingValues(values).map((field) => [field, t('alarmPolicy.valueNeeded')])),
    }),
  });
  const [opened] = useState(initial);
  const meanwhile = useMeanwhile(stored ?? opened, form.values, form.setValues);
  const below = { standard: standard as Partial<AlarmFields> | null };
  const own = writtenFields(form.values);
  const inForce = effectivePolicy(isProfile ? { ...below, profile: own } : { standard: own });

  /** Scrolls to the first invalid field: on a phone it may be far from the button. */
  function lead() {
    requestAnimationFrame(() =>
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
    );
  }

  function show(refusal: Refusal): boolean {
    const isAtField = atFields(form)(refusal);
    if (isAtField) lead();
    else element.current?.scrollIntoView({ block: 'start' });
    return isAtField;
  }

  const write = useWrite({ show });
  const submit = (values: PolicyFormValues) =>
    write.run(() => onSubmit({ ...values, name: values.name.trim() }, meanwhile));

  return (
    <PolicyFormProvider form={form}>
      <Levels
        value={{ kind, below: effectivePolicy(isProfile ? below : {}), levels: isProfile ? below : {} }}
      >
        <form
          className={styles.form}
          ref={element}
          onSubmit={form.onSubmit((values) => void submit(values), lead)}
          noValidate
        >
          <UnsavedGuard isDirty={form.isDirty()} isSaving={write.busy} />
          <Refused write={write} />
          <ChangedMeanwhile
            clashes={meanwhile.clashes}
            stopped={meanwhile.stopped}
            labelOf={(path) => labelOf(t, path)}
            onSettle={meanwhile.settle}
          />
          {isProfile ? (
            <TextInput
              className={styles.name}
              label={t('alarmPolicy.name')}
              placeholder={t('alarmPolicy.namePlaceholder')}
              maxLength={200}
              {...form.getInputProps('name')}
            />
          ) : (
            <NumberInput
              className={styles.name}
              label={t('alarmPolicy.minRegions')}
              description={t('alarmPolicy.minRegionsHint')}
              min={1}
              max={1000}
              allowDecimal={false}
              {...form.getInputProps('min_regions')}
            />
          )}
          <PolicySentences
            policy={inForce}
            least={isProfile ? 1 : Number(form.values.min_regions) || 1}
            openingOnly={!isProfile}
            live
          />
          <Part title={t('alarmPolicy.opening')}>
            <div className={styles.pair}>
              <AmountField field="alarm_consecutive" label={t('alarm.consecutive')} />
              <AmountField field="alarm_min_duration_seconds" label={t('alarm.minDuration')} />
            </div>
            <QuorumField side="alarm" />
          </Part>
          {isProfile ? (
            <>
              <Part title={t('alarmPolicy.recovery')}>
                <div className={styles.pair}>
                  <AmountField field="recovery_consecutive" label={t('alarm.recoveryConsecutive')} />
                </div>
                <QuorumField side="recovery" />
              </Part>
              <Part title={t('alarmPolicy.meanwhile')}>
                <div className={styles.pair}>
                  <AmountField field="failed_interval_seconds" label={t('alarm.failedInterval')} />
                </div>
              </Part>
            </>
          ) : null}
          <div className={styles.end}>
            <Button variant="default" onClick={onCancel}>
              {t('ui.cancel')}
            </Button>
            <Button type="submit" loading={write.busy}>
              {submitLabel}
            </Button>
          </div>
        </form>
      </Levels>
    </PolicyFormProvider>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles.part}>
      <legend className={styles.legend}>{title}</legend>
      <div className={stack.stack}>{children}</div>
    </fieldset>
  );
}
