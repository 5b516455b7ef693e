import { Alert, Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Policy } from '../../../../../src/monitors/contract.ts';
import { ApiError } from '../../../call.ts';
import { useFormats } from '../../../format.ts';
import styles from '../../../ui/Form.module.css';
import { useRefusalSentence } from '../../../ui/refusal-sentence.ts';
import { AlarmSection } from './AlarmSection.tsx';
import { alarmSentences } from './alarm-words.ts';
import { BasicsSection } from './BasicsSection.tsx';
import { ExpectationSection } from './ExpectationSection.tsx';
import { Fold } from './Fold.tsx';
import { expectationSummary, requestSummary, tlsSummary } from './fold-summaries.ts';
import { MonitorFormProvider, useForm } from './form-context.ts';
import own from './MonitorForm.module.css';
import { inheritedPolicy, policyInForm } from './policy-in-form.ts';
import { RequestSection } from './RequestSection.tsx';
import { formPathOf, type Section, sectionOf } from './refusal-field.ts';
import { TlsSection } from './TlsSection.tsx';
import type { MonitorValues } from './values.ts';

type Props = {
  initial: MonitorValues;
  /** The policy as it was read; null for a monitor that does not exist yet. */
  stored: Policy | null;
  submitLabel: string;
  /** Sends the values; a thrown ApiError is shown at the field it names. */
  onSubmit: (values: MonitorValues) => Promise<void>;
  onCancel: () => void;
};

/** The form of an `http` monitor, for creating and editing. */
export function MonitorForm({ initial, stored, submitLabel, onSubmit, onCancel }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const sentence = useRefusalSentence();
  const form = useForm({ initialValues: initial });
  const [opened, setOpened] = useState<ReadonlySet<Section>>(new Set());
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const element = useRef<HTMLFormElement>(null);

  function toggle(section: Section) {
    const next = new Set(opened);
    if (!next.delete(section)) next.add(section);
    setOpened(next);
  }

  function showRefusal(error: unknown) {
    const path = error instanceof ApiError && error.field ? formPathOf(error.field, form.values) : null;
    if (path === null) {
      setRefusal(sentence(error));
      return;
    }
    form.setFieldError(path, sentence(error));
    setOpened(new Set([...opened, sectionOf(path)]));
    // The section has to unfold before its field can take the focus.
    requestAnimationFrame(() => {
      const field = element.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-error] input');
      field?.focus();
      field?.scrollIntoView({ block: 'center' });
    });
  }

  async function submit(values: MonitorValues) {
    setBusy(true);
    setRefusal(null);
    try {
      await onSubmit(values);
    } catch (error) {
      showRefusal(error);
    } finally {
      setBusy(false);
    }
  }

  const { values } = form;
  const policy = policyInForm(values.policy, inheritedPolicy(stored));
  const fold = (section: Section) => ({ opened: opened.has(section), onToggle: () => toggle(section) });

  return (
    <MonitorFormProvider form={form}>
      <form
        ref={element}
        className={own.form}
        onSubmit={form.onSubmit((sent) => void submit(sent))}
        noValidate
      >
        {refusal === null ? null : (
          <Alert color="red" role="alert" mb={16}>
            {refusal}
          </Alert>
        )}
        <div className={own.basics}>
          <BasicsSection />
        </div>
        <Fold title={t('form.request')} summary={requestSummary(t, formats, values)} {...fold('request')}>
          <RequestSection />
        </Fold>
        <Fold
          title={t('form.expectation')}
          summary={expectationSummary(t, formats, values)}
          {...fold('expectation')}
        >
          <ExpectationSection />
        </Fold>
        <Fold title={t('form.tls.title')} summary={tlsSummary(t, values)} {...fold('tls')}>
          <TlsSection />
        </Fold>
        <Fold
          title={t('alarm.title')}
          summary={
            alarmSentences(t, formats, policy, values.regions.length, Number(values.interval_seconds))[0]
          }
          {...fold('alarm')}
        >
          <AlarmSection stored={stored} />
        </Fold>
        <div className={own.end}>
          <div className={styles.actions}>
            <Button variant="default" onClick={onCancel}>
              {t('ui.cancel')}
            </Button>
            <Button type="submit" loading={busy}>
              {submitLabel}
            </Button>
          </div>
        </div>
      </form>
    </MonitorFormProvider>
  );
}
