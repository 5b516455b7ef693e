import { Alert, Button, Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EVENT_NAMES } from '../../../../src/domain/names.ts';
import { ApiError } from '../../call.ts';
import styles from '../../ui/Form.module.css';
import { useRefusalSentence } from '../../ui/refusal-sentence.ts';
import own from './WebhookForm.module.css';

export type WebhookValues = { name: string; url: string; events: string[] };

/** `test` is sent by the test button, whatever a target subscribes to. */
const CHOICES = EVENT_NAMES.filter((event) => event !== 'test');

type Props = {
  initial: WebhookValues;
  submitLabel: string;
  onSubmit: (values: WebhookValues) => Promise<void>;
  onCancel: () => void;
};

/** Name, address and events of a generic webhook. */
export function WebhookForm({ initial, submitLabel, onSubmit, onCancel }: Props) {
  const { t } = useTranslation();
  const sentence = useRefusalSentence();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const form = useForm<WebhookValues>({
    initialValues: initial,
    validate: {
      name: (value) => (value.trim() === '' ? t('webhooks.nameNeeded') : null),
      url: (value) => (value.trim() === '' ? t('errors.reasons.missing') : null),
      events: (value) => (value.length === 0 ? t('webhooks.eventsNeeded') : null),
    },
  });

  async function submit(values: WebhookValues) {
    setBusy(true);
    setRefusal(null);
    try {
      await onSubmit({ ...values, name: values.name.trim(), url: values.url.trim() });
    } catch (error) {
      const field = error instanceof ApiError ? error.field?.split('.')[0] : undefined;
      if (field !== undefined && field in initial) form.setFieldError(field, sentence(error));
      else setRefusal(sentence(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className={styles.stack} onSubmit={form.onSubmit((values) => void submit(values))} noValidate>
      {refusal === null ? null : (
        <Alert color="red" role="alert">
          {refusal}
        </Alert>
      )}
      <TextInput
        data-autofocus
        label={t('webhooks.name')}
        placeholder={t('webhooks.namePlaceholder')}
        {...form.getInputProps('name')}
      />
      <TextInput
        label={t('webhooks.url')}
        description={t('webhooks.urlHint')}
        placeholder="https://example.com/hooks/tocsin"
        inputMode="url"
        spellCheck={false}
        {...form.getInputProps('url')}
      />
      <Checkbox.Group label={t('webhooks.events')} {...form.getInputProps('events')}>
        <div className={own.events}>
          {CHOICES.map((event) => (
            <Checkbox key={event} value={event} label={t(`events.${event}`)} />
          ))}
        </div>
      </Checkbox.Group>
      <div className={styles.actions}>
        <Button variant="default" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        <Button type="submit" loading={busy}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
