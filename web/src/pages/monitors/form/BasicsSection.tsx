import { Select, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getOrganizationPlan } from '#src/plans/contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import styles from '#web/ui/Form.module.css';
import { isRegionless } from '../monitor-types.ts';
import type { OpenedForm } from '../use-type-form.ts';
import { useMonitorForm } from './form-context.ts';
import { intervalsFor } from './intervals.ts';
import { RegionsField } from './RegionsField.tsx';

/** The fields that every monitor has: target, name, interval and regions. */
export function BasicsSection({ of, suggestedName }: { of: OpenedForm; suggestedName: string }) {
  const { t } = useTranslation();
  const form = useMonitorForm();
  const { type } = form.values;
  const { Open } = of.fields;
  return (
    <div className={styles.stack}>
      <Open />
      <div className={styles.row}>
        <TextInput
          label={t('form.name')}
          placeholder={suggestedName === '' ? t('form.namePlaceholder') : suggestedName}
          maxLength={200}
          {...form.getInputProps('name')}
        />
        {isRegionless(type) ? null : <IntervalField of={of} />}
      </div>
      {isRegionless(type) ? null : <RegionsField />}
      <TagsInput
        label={t('form.tags')}
        description={t('form.tagsHint')}
        wrapperProps={{ 'data-lead': 'tags' }}
        acceptValueOnBlur
        {...form.getInputProps('tags')}
      />
    </div>
  );
}

function IntervalField({ of }: { of: OpenedForm }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const form = useMonitorForm();
  const plan = useQuery(read(getOrganizationPlan, { params: { org_id: useOrgId() } }));
  const chosen = Number(form.values.interval_seconds);
  const least = plan.data?.limits.min_interval_seconds ?? 1;
  return (
    <Select
      label={t('form.interval')}
      description={of.interval?.hint(t)}
      allowDeselect={false}
      data={intervalsFor(of, least, chosen).map((seconds) => ({
        value: String(seconds),
        label: formats.durationInWords(seconds),
      }))}
      value={String(chosen)}
      onChange={(value) => form.setFieldValue('interval_seconds', Number(value))}
      error={form.errors.interval_seconds}
    />
  );
}
