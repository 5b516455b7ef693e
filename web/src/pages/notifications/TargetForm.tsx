import { Checkbox, PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ChannelName, PAGING_REGIONS } from '#src/domain/names.ts';
import { CHANNEL_REQUIREMENTS } from '#src/notifications/channels/contract.ts';
import { ApiError } from '#web/call.ts';
import { type Meanwhile, useMeanwhile } from '#web/meanwhile/use-meanwhile.ts';
import styles from '#web/ui/Form.module.css';
import { FormActions } from '#web/ui/FormActions.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { atFields, useWrite } from '#web/use-write.ts';
import { familyOf, offeredEvents } from './kinds.ts';
import { RoutingFields } from './RoutingFields.tsx';
import own from './TargetForm.module.css';
import { TargetMeanwhile } from './TargetMeanwhile.tsx';
import { shownValues, type TargetValues } from './target-values.ts';

type Props = {
  kind: ChannelName;
  initial: TargetValues;
  /** The values as last read from the server, while an existing target is edited. */
  stored?: TargetValues;
  /** The masked key of an existing paging target; null: a key is required. */
  keyHint: string | null;
  submitLabel: string;
  /** Saves the values; a thrown ApiError is shown at the field it names. */
  onSubmit: (values: TargetValues, meanwhile: Meanwhile<TargetValues>) => Promise<void>;
  onCancel: () => void;
};

/** A target: its name, its address, and its events. */
export function TargetForm({ kind, initial, stored, keyHint, submitLabel, onSubmit, onCancel }: Props) {
  const { t } = useTranslation();
  const isPaging = familyOf(kind) === 'paging';
  const form = useForm<TargetValues>({
    initialValues: initial,
    validate: {
      name: (value) => (value.trim() === '' ? t('targets.nameNeeded') : null),
      url: (value) => (!isPaging && value.trim() === '' ? t('errors.reasons.missing') : null),
      credential: (value) =>
        isPaging && keyHint === null && value.trim() === '' ? t('targets.keyNeeded') : null,
      events: (value) => (value.length === 0 ? t('targets.eventsNeeded') : null),
    },
  });

  const [opened] = useState(initial);
  const shown = shownValues(kind, form.values, keyHint ?? '');
  const meanwhile = useMeanwhile(
    shownValues(kind, stored ?? opened, keyHint ?? ''),
    shown,
    ({ url, credential, ...values }) =>
      form.setValues({
        ...values,
        url: url === shown.url ? form.values.url : url,
        credential: credential === shown.credential ? form.values.credential : '',
      }),
  );

  /** Plain http is refused for a provider's address, and allowed for others. */
  const words = (error: unknown) =>
    error instanceof ApiError && error.reason === 'unsupported_scheme' && kind !== 'webhook'
      ? t('targets.schemeOf', {
          name: CHANNEL_REQUIREMENTS[kind].name,
          example: CHANNEL_REQUIREMENTS[kind].example,
        })
      : undefined;
  const write = useWrite({ show: atFields(form), words });

  async function submit(values: TargetValues) {
    const { name, url, credential } = values;
    const trimmed = { ...values, name: name.trim(), url: url.trim(), credential: credential.trim() };
    const isDone = await write.run(() => onSubmit(trimmed, meanwhile));
    // The page of a new target stays open to show a secret once.
    if (isDone && stored === undefined) form.resetDirty();
  }

  const makesSecret = stored === undefined && CHANNEL_REQUIREMENTS[kind].signed;
  const { events } = form.values;
  return (
    <form className={styles.stack} onSubmit={form.onSubmit((values) => void submit(values))} noValidate>
      {/* Also while one with a secret is made: who leaves would never see it. */}
      <UnsavedGuard isDirty={form.isDirty()} isSaving={write.busy && !makesSecret} inSearch />
      <Refused write={write} />
      <TargetMeanwhile kind={kind} meanwhile={meanwhile} />
      <TextInput
        data-autofocus
        label={t('targets.name')}
        placeholder={t(`targets.namePlaceholder.${familyOf(kind)}`)}
        maxLength={200}
        {...form.getInputProps('name')}
      />
      {isPaging ? (
        <>
          <PasswordInput
            label={t(`targets.key.${kind as 'pagerduty' | 'opsgenie'}`)}
            description={<Where kind={kind} />}
            placeholder={keyHint === null ? '' : t('targets.keyKept', { hint: keyHint })}
            autoComplete="off"
            spellCheck={false}
            visibilityToggleButtonProps={{ 'aria-label': t('targets.showKey') }}
            {...form.getInputProps('credential')}
          />
          <div className={own.region}>
            <span className={own.label} id="target-region">
              {t('targets.region')}
            </span>
            <SegmentedControl
              aria-labelledby="target-region"
              data={PAGING_REGIONS.map((value) => ({ value, label: t(`targets.regions.${value}`) }))}
              {...form.getInputProps('region')}
            />
            <span className={own.hint}>{t(`targets.regionHint.${kind as 'pagerduty' | 'opsgenie'}`)}</span>
          </div>
        </>
      ) : (
        <TextInput
          label={t('targets.url')}
          description={<Where kind={kind} />}
          placeholder={CHANNEL_REQUIREMENTS[kind].example}
          inputMode="url"
          spellCheck={false}
          maxLength={2048}
          {...form.getInputProps('url')}
        />
      )}
      <Checkbox.Group label={t('targets.events')} {...form.getInputProps('events')}>
        <div className={own.events}>
          {offeredEvents(kind).map((event) => (
            <Checkbox
              key={event}
              value={event}
              label={t(`events.${event}`)}
              description={t(`eventWords.${event}`)}
            />
          ))}
        </div>
      </Checkbox.Group>
      {isPaging && events.includes('opened') && !events.includes('resolved') ? (
        <p className={own.caution}>{t('targets.staysOpen')}</p>
      ) : null}
      <RoutingFields form={form} />
      <FormActions submit={submitLabel} busy={write.busy} onCancel={onCancel} />
    </form>
  );
}

/** Where to find the key or the URL, with a link to the provider's documentation. */
function Where({ kind }: { kind: ChannelName }) {
  const { t } = useTranslation();
  const { help, name } = CHANNEL_REQUIREMENTS[kind];
  return (
    <>
      {t(`targets.where.${kind}`)}
      {help === null ? null : (
        <>
          {' '}
          <a href={help} target="_blank" rel="noreferrer">
            {t('targets.help', { name })}
          </a>
        </>
      )}
    </>
  );
}
