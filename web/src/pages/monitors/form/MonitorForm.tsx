import { Button } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Monitor } from '#src/monitors/contract.ts';
import { useFormats } from '#web/format.ts';
import { ChangedMeanwhile } from '#web/meanwhile/ChangedMeanwhile.tsx';
import { type Meanwhile, useMeanwhile } from '#web/meanwhile/use-meanwhile.ts';
import { BottomBar } from '#web/ui/BottomBar.tsx';
import { FormActions } from '#web/ui/FormActions.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { isRegionless } from '../monitor-types.ts';
import { TestNow } from '../test/TestNow.tsx';
import type { OpenedForm } from '../use-type-form.ts';
import { AlarmSection } from './AlarmSection.tsx';
import { alarmSentences } from './alarm-words.ts';
import { BasicsSection } from './BasicsSection.tsx';
import { CollapsibleSection } from './CollapsibleSection.tsx';
import { EditedMonitor } from './edited-monitor.ts';
import { labelOf } from './field-labels.ts';
import { MonitorFormProvider } from './form-context.ts';
import own from './MonitorForm.module.css';
import { policyInForce } from './policy-levels.ts';
import { useInherited } from './use-inherited.ts';
import { useJudgedForm } from './use-judged-form.ts';
import { useSuggestedName } from './use-suggested-name.ts';
import { configOf, type MonitorValues } from './values.ts';

type Props = {
  of: OpenedForm;
  initial: MonitorValues;
  /** The values as last read from the server, while an existing monitor is edited. */
  stored?: MonitorValues;
  /** The edited monitor; null for a new one. */
  edited: Monitor | null;
  projectId: string;
  submitLabel: string;
  /** Saves the values; a thrown ApiError is shown at the field it names. */
  onSubmit: (
    values: MonitorValues,
    suggestedName: string,
    meanwhile: Meanwhile<MonitorValues>,
  ) => Promise<void>;
  onCancel: () => void;
  /** Opens the section about announced changes, for a link from there. */
  gateOpened?: boolean;
};

/** The form of a monitor of any type, for creating and editing. */
export function MonitorForm({
  of,
  initial,
  stored,
  edited,
  projectId,
  submitLabel,
  onSubmit,
  onCancel,
  gateOpened,
}: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  // A later read must not change what the form was opened with.
  const [opened] = useState(initial);
  const judged = useJudgedForm(of, opened, gateOpened ? ['alarm'] : []);
  const { form, write, isOpened, toggle } = judged;
  const [testing, setTesting] = useState(false);
  const { values } = form;
  const meanwhile = useMeanwhile(stored ?? opened, values, form.setValues);
  const { inherited } = useInherited(values.policy.alert_profile_id);
  const config = configOf(of, values);
  const suggestedName = useSuggestedName(values.type, config);
  const places = isRegionless(values.type) ? 0 : Math.max(1, values.regions.length);
  const alarm = alarmSentences(
    t,
    formats,
    policyInForce(values.policy, inherited),
    values.type === 'group' ? 'group' : places,
    Number(values.interval_seconds),
  );
  const subject = {
    projectId,
    type: values.type,
    // Fields that the form does not show keep their stored values in the test.
    config:
      edited?.type === values.type ? { ...(edited.config as Record<string, unknown>), ...config } : config,
    monitorId: edited?.id ?? null,
    regions: values.regions,
  };

  return (
    <EditedMonitor value={edited}>
      <MonitorFormProvider form={form}>
        <form
          ref={judged.element}
          className={own.form}
          onSubmit={judged.onSubmit((sent) => onSubmit(sent, suggestedName, meanwhile))}
          noValidate
        >
          <UnsavedGuard isDirty={form.isDirty()} isSaving={write.busy} inSearch />
          <Refused write={write} mb={16} />
          <ChangedMeanwhile
            clashes={meanwhile.clashes}
            stopped={meanwhile.stopped}
            labelOf={(path) => labelOf(t, path)}
            onSettle={meanwhile.settle}
            mb={16}
          />
          <div className={own.basics}>
            <BasicsSection of={of} suggestedName={suggestedName} />
          </div>
          {of.sections.map((section) => {
            const Content = of.fields.sections[section.id];
            return Content === undefined ? null : (
              <CollapsibleSection
                key={section.id}
                title={section.title(t)}
                summary={section.summary(t, formats, values.config)}
                opened={isOpened(section.id)}
                onToggle={() => toggle(section.id)}
              >
                <Content />
              </CollapsibleSection>
            );
          })}
          <CollapsibleSection
            title={t('alarm.title')}
            summary={alarm[0]}
            opened={isOpened('alarm')}
            onToggle={() => toggle('alarm')}
          >
            <AlarmSection opened={isOpened('alarm')} gateOpened={gateOpened ?? false} />
          </CollapsibleSection>
          <BottomBar className={own.end}>
            {places === 0 ? (
              <span />
            ) : (
              <Button
                variant="default"
                leftSection={<IconActivity size={16} />}
                onClick={() => judged.validate() && setTesting(true)}
              >
                {t('tryout.button')}
              </Button>
            )}
            <FormActions submit={submitLabel} busy={write.busy} onCancel={onCancel} />
          </BottomBar>
        </form>
        {testing ? (
          <TestNow
            subject={subject}
            onClose={() => setTesting(false)}
            onFieldRefused={(error) => {
              setTesting(false);
              judged.showRefusal(error);
            }}
          />
        ) : null}
      </MonitorFormProvider>
    </EditedMonitor>
  );
}
