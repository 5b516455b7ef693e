import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getInstallation } from '#src/accounts/contract.ts';
import { read } from '#web/read.ts';
import styles from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { post } from '#web/write.ts';
import { Frame } from './Frame.tsx';
import { Note } from './Note.tsx';

/** Requests a password reset link. The answer does not reveal whether the address has an account. */
export default function ForgotPasswordPage() {
  const { t } = useTranslation();
  const { email: known } = useRouterState({ select: (state) => state.location.state });
  const installation = useQuery(read(getInstallation, {}));
  const write = useWrite();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    initialValues: { email: known ?? '' },
    validate: { email: (value) => (value.includes('@') ? null : t('accounts.emailNeeded')) },
  });

  const submit = (email: string) =>
    write.run(() => post('/auth/request-password-reset', { email }, () => setSentTo(email)));

  if (installation.data?.mail === false) {
    return (
      <Frame title={t('accounts.forgotTitle')}>
        <p>{t('accounts.noMail')}</p>
        <Link to="/sign-in">{t('accounts.backToSignIn')}</Link>
      </Frame>
    );
  }
  if (sentTo !== null) {
    return (
      <Frame title={t('accounts.mailSentTitle')}>
        <Note>{t('accounts.mailSent', { email: sentTo })}</Note>
        <p>{t('accounts.mailSentText')}</p>
        <Button component={Link} to="/sign-in" size="md">
          {t('accounts.backToSignIn')}
        </Button>
        <Button variant="default" size="md" onClick={() => setSentTo(null)}>
          {t('accounts.askAgain')}
        </Button>
      </Frame>
    );
  }
  return (
    <Frame title={t('accounts.forgotTitle')} lead={t('accounts.forgotLead')}>
      <form
        className={styles.stack}
        onSubmit={form.onSubmit(({ email }) => void submit(email.trim()))}
        noValidate
      >
        <Refused write={write} />
        <TextInput
          label={t('accounts.email')}
          type="email"
          autoComplete="username"
          autoFocus
          {...form.getInputProps('email')}
        />
        <Button type="submit" size="md" loading={write.busy} disabled={write.waitSeconds > 0}>
          {t('accounts.sendLink')}
        </Button>
        <Link to="/sign-in">{t('accounts.backToSignIn')}</Link>
      </form>
    </Frame>
  );
}
