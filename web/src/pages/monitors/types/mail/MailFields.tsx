import { PasswordInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MailConfig } from '#src/monitors/types/mail/config.ts';
import { Choice } from '#web/pages/monitors/form/Choice.tsx';
import { useConfigValues, useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import { HostAndPort } from '#web/pages/monitors/form/HostField.tsx';
import own from '#web/pages/monitors/form/Section.module.css';
import { TimingFields } from '#web/pages/monitors/form/TimingFields.tsx';
import styles from '#web/ui/Form.module.css';
import type { TypeFields } from '../type-form.ts';
import { type MailValues, usualMailPort } from './form.ts';

function Open() {
  const { t } = useTranslation();
  const values = useConfigValues<MailValues>();
  return (
    <>
      <div className={own.choices}>
        <Choice
          label={t('fields.mail.protocol')}
          path="config.protocol"
          data={(['smtp', 'imap', 'pop3'] as const).map((value) => ({ value, label: value.toUpperCase() }))}
        />
        <Choice
          label={t('fields.mail.security')}
          path="config.security"
          data={[
            { value: 'starttls', label: 'STARTTLS' },
            { value: 'tls', label: 'TLS' },
            { value: 'none', label: t('fields.mail.plain') },
          ]}
        />
      </div>
      <HostAndPort placeholder="mail.example.com" usual={usualMailPort(values)} />
    </>
  );
}

function SignIn() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  return (
    <>
      <div className={styles.row}>
        <TextInput
          label={t('form.username')}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('config.auth.username')}
        />
        <PasswordInput
          label={t('form.password')}
          autoComplete="off"
          {...form.getInputProps('config.auth.password')}
        />
      </div>
      <p className={own.hint}>
        {t(form.values.config.security === 'none' ? 'fields.mail.inTheClear' : 'fields.mail.signInHint')}
      </p>
    </>
  );
}

export const fields: TypeFields = {
  Open,
  sections: { signIn: SignIn, timing: () => <TimingFields schema={MailConfig} /> },
};
