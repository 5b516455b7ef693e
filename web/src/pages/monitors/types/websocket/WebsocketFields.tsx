import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { WebsocketConfig } from '#src/monitors/types/websocket/config.ts';
import { ConversationFields } from '#web/pages/monitors/form/ConversationFields.tsx';
import { useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import { HeaderRows } from '#web/pages/monitors/form/HeaderRows.tsx';
import own from '#web/pages/monitors/form/Section.module.css';
import { TimingFields } from '#web/pages/monitors/form/TimingFields.tsx';
import type { TypeFields } from '../type-form.ts';

function Open() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  return (
    <TextInput
      label={t('form.url')}
      placeholder="wss://example.com/live"
      inputMode="url"
      spellCheck={false}
      autoFocus={form.values.config.url === ''}
      classNames={{ input: own.mono }}
      {...form.getInputProps('config.url')}
    />
  );
}

function Conversation() {
  const { t } = useTranslation();
  return <ConversationFields hint={t('fields.websocket.expectHint')} />;
}

function Request() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  return (
    <>
      <TextInput
        className={own.short}
        label={t('fields.websocket.subprotocol')}
        placeholder="graphql-transport-ws"
        spellCheck={false}
        classNames={{ input: own.mono }}
        {...form.getInputProps('config.subprotocol')}
      />
      <HeaderRows />
    </>
  );
}

export const fields: TypeFields = {
  Open,
  sections: {
    conversation: Conversation,
    request: Request,
    timing: () => <TimingFields schema={WebsocketConfig} />,
  },
};
