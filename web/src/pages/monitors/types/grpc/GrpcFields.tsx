import { Checkbox, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { GrpcConfig } from '#src/monitors/types/grpc/config.ts';
import { useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import { HeaderRows } from '#web/pages/monitors/form/HeaderRows.tsx';
import { HostAndPort } from '#web/pages/monitors/form/HostField.tsx';
import own from '#web/pages/monitors/form/Section.module.css';
import { TimingFields } from '#web/pages/monitors/form/TimingFields.tsx';
import type { TypeFields } from '../type-form.ts';

function Open() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  return (
    <>
      <HostAndPort placeholder="grpc.example.com" />
      <TextInput
        label={t('fields.grpc.service')}
        description={t('fields.grpc.serviceHint')}
        placeholder="shop.v1.OrderService"
        spellCheck={false}
        classNames={{ input: own.mono }}
        {...form.getInputProps('config.service')}
      />
      <Checkbox label={t('fields.grpc.tls')} {...form.getInputProps('config.tls', { type: 'checkbox' })} />
    </>
  );
}

function Metadata() {
  const { t } = useTranslation();
  return (
    <HeaderRows
      at="metadata"
      label={t('fields.grpc.metadata')}
      add={t('fields.grpc.addMetadata')}
      placeholder="x-key"
    />
  );
}

export const fields: TypeFields = {
  Open,
  sections: { metadata: Metadata, timing: () => <TimingFields schema={GrpcConfig} /> },
};
