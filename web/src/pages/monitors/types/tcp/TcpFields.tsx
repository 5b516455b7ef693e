import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TcpConfig } from '#src/monitors/types/tcp/config.ts';
import { ConversationFields } from '#web/pages/monitors/form/ConversationFields.tsx';
import { useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import { HostAndPort } from '#web/pages/monitors/form/HostField.tsx';
import { TimingFields } from '#web/pages/monitors/form/TimingFields.tsx';
import type { TypeFields } from '../type-form.ts';

function Open() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  return (
    <>
      <HostAndPort />
      <Checkbox
        label={t('fields.tcp.tls')}
        description={t('fields.tcp.tlsHint')}
        {...form.getInputProps('config.tls', { type: 'checkbox' })}
      />
    </>
  );
}

function Conversation() {
  const { t } = useTranslation();
  return <ConversationFields hint={t('fields.tcp.expectHint')} />;
}

export const fields: TypeFields = {
  Open,
  sections: { conversation: Conversation, timing: () => <TimingFields schema={TcpConfig} /> },
};
