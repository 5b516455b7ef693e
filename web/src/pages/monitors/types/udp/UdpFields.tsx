import { Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { UdpConfig } from '#src/monitors/types/udp/config.ts';
import { Choice } from '#web/pages/monitors/form/Choice.tsx';
import { useConfigValues, useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import { HostAndPort } from '#web/pages/monitors/form/HostField.tsx';
import own from '#web/pages/monitors/form/Section.module.css';
import { TimingFields } from '#web/pages/monitors/form/TimingFields.tsx';
import type { TypeFields } from '../type-form.ts';
import type { UdpValues } from './form.ts';

const EXAMPLES = { text: 'ping', hex: 'ff ff ff ff 54', base64: 'cGluZw==' };

function Open() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  const { encoding } = useConfigValues<UdpValues>();
  return (
    <>
      <HostAndPort />
      <Choice
        label={t('fields.udp.encoding')}
        path="config.encoding"
        data={[
          { value: 'text', label: t('fields.udp.text') },
          { value: 'hex', label: t('fields.udp.hex') },
          { value: 'base64', label: 'Base64' },
        ]}
        onChange={() => {
          form.clearFieldError('config.payload');
          form.clearFieldError('config.expect');
        }}
      />
      <Textarea
        label={t('fields.udp.payload')}
        description={t('fields.udp.payloadHint')}
        placeholder={EXAMPLES[encoding]}
        autosize
        minRows={1}
        maxRows={8}
        spellCheck={false}
        classNames={{ input: own.mono }}
        {...form.getInputProps('config.payload')}
      />
      <TextInput
        label={t('fields.expect')}
        description={t('fields.udp.expectHint')}
        spellCheck={false}
        classNames={{ input: own.mono }}
        {...form.getInputProps('config.expect')}
      />
    </>
  );
}

export const fields: TypeFields = { Open, sections: { timing: () => <TimingFields schema={UdpConfig} /> } };
