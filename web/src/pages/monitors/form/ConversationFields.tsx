import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMonitorForm } from './form-context.ts';
import own from './Section.module.css';

/** The text to send after connecting, and the text to expect. `hint` says where it is searched. */
export function ConversationFields({ hint }: { hint: string }) {
  const { t } = useTranslation();
  const form = useMonitorForm();
  return (
    <>
      <Textarea
        label={t('fields.send')}
        description={t('fields.sendHint')}
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        classNames={{ input: own.mono }}
        {...form.getInputProps('config.send')}
      />
      {'crlf' in form.values.config ? (
        <Checkbox label={t('fields.crlf')} {...form.getInputProps('config.crlf', { type: 'checkbox' })} />
      ) : null}
      <TextInput
        label={t('fields.expect')}
        description={hint}
        spellCheck={false}
        classNames={{ input: own.mono }}
        {...form.getInputProps('config.expect')}
      />
    </>
  );
}
