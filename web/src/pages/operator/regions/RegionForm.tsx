import { Checkbox, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { slugFrom } from '#src/domain/slug.ts';
import type { AdministeredRegion } from '#src/regions/contract.ts';
import { ApiError } from '#web/call.ts';
import { ChangedMeanwhile } from '#web/meanwhile/ChangedMeanwhile.tsx';
import { type Meanwhile, useMeanwhile } from '#web/meanwhile/use-meanwhile.ts';
import styles from '#web/ui/Form.module.css';
import { FormActions } from '#web/ui/FormActions.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { type Refusal, useWrite } from '#web/use-write.ts';
import type { RegionValues } from './region-values.ts';

const PRIVATE_HINTS = {
  operator: 'operatorRegions.privateHint',
  default: 'operatorRegions.privateDefault',
  environment: 'operatorRegions.privateEnvironment',
} as const;

const LABELS: Record<Exclude<keyof RegionValues, 'slug'>, `operatorRegions.${string}`> = {
  name: 'operatorRegions.name',
  internal: 'operatorRegions.internalLabel',
  allow_private_targets: 'operatorRegions.privateLabel',
  keep_private_responses: 'operatorRegions.answersLabel',
  canaries: 'operatorRegions.canaries',
};

type Props = {
  initial: RegionValues;
  /** The values as last read from the server, while an existing region is edited. */
  stored?: RegionValues;
  /** An existing region keeps its slug. */
  exists: boolean;
  /** The source of the setting for private targets; if it was the environment, nobody else can change it. */
  privateTargetsBy?: AdministeredRegion['private_targets_by'];
  privateResponsesBy?: AdministeredRegion['private_responses_by'];
  submitLabel: string;
  onSubmit: (values: RegionValues, meanwhile: Meanwhile<RegionValues>) => Promise<void>;
  onCancel: () => void;
};

/** Name, slug, allowed targets, and canaries, by which probes know that their own network works. */
export function RegionForm({
  initial,
  stored,
  exists,
  privateTargetsBy = 'operator',
  privateResponsesBy = 'operator',
  submitLabel,
  onSubmit,
  onCancel,
}: Props) {
  const { t } = useTranslation();
  // The slug follows the name until somebody edits it.
  const [ownSlug, setOwnSlug] = useState(exists);
  const form = useForm<RegionValues>({
    initialValues: initial,
    validate: {
      name: (value) => (value.trim() === '' ? t('operatorRegions.nameNeeded') : null),
      slug: (value) =>
        exists || (value !== '' && slugFrom(value) === value) ? null : t('operatorRegions.slugWrong'),
    },
  });

  const [opened] = useState(initial);
  const meanwhile = useMeanwhile(stored ?? opened, form.values, form.setValues);

  function show({ error, sentence: why, field: path }: Refusal): boolean {
    const [field = '', index] = path?.split('.') ?? [];
    if (error instanceof ApiError && error.code === 'slug_taken') {
      form.setFieldError('slug', t('operatorRegions.slugInUse'));
      return true;
    }
    if (!(field in initial)) return false;
    const canary = field === 'canaries' ? form.getValues().canaries[Number(index)] : undefined;
    form.setFieldError(field, canary === undefined ? why : t('operatorRegions.canaryWrong', { canary, why }));
    return true;
  }

  const write = useWrite({ show });
  const submit = (values: RegionValues) =>
    write.run(() => onSubmit({ ...values, name: values.name.trim() }, meanwhile));

  return (
    <form className={styles.stack} onSubmit={form.onSubmit((values) => void submit(values))} noValidate>
      <UnsavedGuard isDirty={form.isDirty() && !write.busy} />
      <Refused write={write} />
      <ChangedMeanwhile
        clashes={meanwhile.clashes}
        stopped={meanwhile.stopped}
        labelOf={(path) => t(LABELS[path as keyof typeof LABELS] as 'operatorRegions.name')}
        onSettle={meanwhile.settle}
      />
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
            classNames={{ input: 'mono' }}
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
      <Checkbox
        label={t('operatorRegions.answersLabel')}
        description={t(
          privateResponsesBy === 'default' ? 'operatorRegions.answersDefault' : 'operatorRegions.answersHint',
        )}
        {...form.getInputProps('keep_private_responses', { type: 'checkbox' })}
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
      <FormActions submit={submitLabel} busy={write.busy} onCancel={onCancel} />
    </form>
  );
}
