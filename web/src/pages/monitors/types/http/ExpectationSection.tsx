import { Checkbox, Select, TagsInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import own from '#web/pages/monitors/form/Section.module.css';
import { SlowAfterField } from '#web/pages/monitors/form/TimingFields.tsx';
import styles from '#web/ui/Form.module.css';
import { AssertionRows } from './AssertionRows.tsx';

/** The conditions under which the target is up, and slow. */
export function ExpectationSection() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  return (
    <>
      <div className={styles.row}>
        <TagsInput
          label={t('form.expectedStatus')}
          description={t('form.expectedStatusHint')}
          splitChars={[',', ' ']}
          acceptValueOnBlur
          {...form.getInputProps('config.expected_status')}
        />
        <SlowAfterField />
      </div>
      <div className={own.group}>
        <div className={styles.row}>
          <TextInput
            label={t('form.keyword')}
            description={t('form.keywordHint')}
            {...form.getInputProps('config.keyword.text')}
          />
          <Select
            label={t('form.keywordMode')}
            allowDeselect={false}
            data={(['contains', 'not_contains', 'regex'] as const).map((mode) => ({
              value: mode,
              label: t(`form.keywordModes.${mode}`),
            }))}
            {...form.getInputProps('config.keyword.mode')}
          />
        </div>
        <Checkbox
          label={t('form.caseSensitive')}
          {...form.getInputProps('config.keyword.case_sensitive', { type: 'checkbox' })}
        />
      </div>
      <AssertionRows of="json_assertions" subject="path" />
      <AssertionRows of="header_assertions" subject="name" />
    </>
  );
}
