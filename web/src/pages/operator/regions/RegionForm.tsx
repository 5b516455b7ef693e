import { Alert, Button, Checkbox, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { slugFrom } from '#src/domain/slug.ts';
import type { AdministeredRegion } from '#src/regions/contract.ts';
import { ApiError } from '#web/call.ts';
import styles from '#web/ui/Form.module.css';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';
import own from './RegionForm.module.css';
import type { RegionValues } from './region-values.ts';

const PRIVATE_HINTS = {
  operator: 'operatorRegions.privateHint',
  default: 'operatorRegions.privateDefault',
  environment: 'operatorRegions.privateEnvironment',
} as const;

type Props = {
  initial: RegionValues;
  /** A region that exists keeps its slug. */
  exists: boolean;
  /** Who decided whether private targets are checked; nobody else may where it was the environment. */
  privateTargetsBy?: AdministeredRegion['private_targets_by'];
  submitLabel: string;
  onSubmit: (values: RegionValues) => Promise<void>;
  onCancel: () => void;
};

/** Name, slug, what may be checked from a region, and how its probes know that their own network works. */
export function RegionForm({
  initial,
  exists,
  privateTargetsBy = 'operator',
  submitLabel,
  onSubmit,
  onCancel,
}: Props) {
  const { t } = useTranslation();
  const sentence = useRefusalSentence();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  // The slug follows the name until somebody writes one.
  const [ownSlug, setOwnSlug] = useState(exists);
  const form = useForm<RegionValues>({
    initialValues: initial,
    validate: {
      name: (value) => (value.trim() === '' ? t('operatorRegions.nameNeeded') : null),
      slug: (value) =>
        exists || (value !== '' && slugFrom(value) === value) ? null : t('operatorRegions.slugWrong'),
    },
  });

  function show(error: unknown) {
    if (!(error instanceof ApiError) || error.field === undefined) return setRefusal(sentence(error));
    const [field = '', index] = error.field.split('.');
    if (error.code === 'slug_taken') return form.setFieldError('slug', t('operatorRegions.slugTaken'));
    if (!(field in initial)) return setRefusal(sentence(error));
    const canary = field === 'canaries' ? form.getValues().canaries[Number(index)] : undefined;
    const why = sentence(error);
    form.setFieldError(field, canary === undefined ? why : t('operatorRegions.canaryWrong', { canary, why }));
  }

  async function submit(values: RegionValues) {
    setBusy(true);
    setRefusal(null);
    try {
      await onSubmit({ ...values, name: values.name.trim() });
    } catch (error) {
      show(error);
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
      <div className={styles.row}>
        <TextInput
          data-autofocus
          label={t('operatorRegions.name')}
          description={t('operatorRegions.nameHint')}
          placeholder={t('operatorRegions.namePlaceholder')}
          maxLength={200}
          {...form.getInputProps('name')}
          onChange={(event) => {
            const name = event.currentTarget.value;
            form.setFieldValue('name', name);
            if (!ownSlug) form.setFieldValue('slug', slugFrom(name));
          }}
        />
        {exists ? null : (
          <TextInput
            label={t('operatorRegions.slug')}
            description={t('operatorRegions.slugHint')}
            classNames={{ input: own.slug }}
            placeholder="lisbon"
            spellCheck={false}
            autoCapitalize="none"
            maxLength={63}
            {...form.getInputProps('slug')}
            onChange={(event) => {
              const slug = event.currentTarget.value;
              setOwnSlug(slug !== '');
              form.setFieldValue('slug', slug);
            }}
          />
        )}
      </div>
      <Checkbox
        label={t('operatorRegions.internalLabel')}
        description={t('operatorRegions.internalHint')}
        {...form.getInputProps('internal', { type: 'checkbox' })}
      />
      <Checkbox
        label={t('operatorRegions.privateLabel')}
        description={t(PRIVATE_HINTS[privateTargetsBy])}
        disabled={privateTargetsBy === 'environment'}
        {...form.getInputProps('allow_private_targets', { type: 'checkbox' })}
      />
      <TagsInput
        label={t('operatorRegions.canaries')}
        description={t('operatorRegions.canariesHint')}
        placeholder={form.values.canaries.length === 0 ? 'one.one.one.one:53' : ''}
        splitChars={[',', ' ']}
        maxTags={10}
        spellCheck={false}
        {...form.getInputProps('canaries')}
      />
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
