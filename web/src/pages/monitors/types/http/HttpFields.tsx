import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useConfigValues, useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import own from '#web/pages/monitors/form/Section.module.css';
import type { TypeFields } from '../type-form.ts';
import { ExpectationSection } from './ExpectationSection.tsx';
import { RequestSection } from './RequestSection.tsx';
import { TlsSection } from './TlsSection.tsx';
import type { HttpValues } from './values.ts';

function Open() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  return (
    <TextInput
      label={t('form.url')}
      placeholder="https://example.com/health"
      inputMode="url"
      spellCheck={false}
      autoFocus={useConfigValues<HttpValues>().url === ''}
      classNames={{ input: own.mono }}
      {...form.getInputProps('config.url')}
    />
  );
}

export const fields: TypeFields = {
  Open,
  sections: { request: RequestSection, expectation: ExpectationSection, tls: TlsSection },
};
