import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ConversationFields } from '../../ConversationFields.tsx';
import type { KindFields } from '../../fields-of-kind.ts';
import { useMonitorForm } from '../../form-context.ts';
import { HostAndPort } from '../../HostField.tsx';
import { TimingFields } from '../../TimingFields.tsx';

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

export const tcpFields: KindFields = {
  Open,
  folds: { conversation: Conversation, timing: () => <TimingFields usualMs={5_000} /> },
};
