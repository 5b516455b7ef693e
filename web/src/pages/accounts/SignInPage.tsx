import { Alert, Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getInstallation } from '../../../../src/accounts/contract.ts';
import { ApiError } from '../../call.ts';
import { read } from '../../read.ts';
import { signIn } from '../../session.ts';
import styles from '../../ui/Form.module.css';
import { useRefusalSentence } from '../../ui/refusal-sentence.ts';
import { Frame } from './Frame.tsx';

export default function SignInPage() {
  const { t } = useTranslation();
  const router = useRouter();
  const sentence = useRefusalSentence();
  const { back } = useSearch({ from: '/sign-in' });
  const installation = useQuery(read(getInstallation, {}));
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: {
      email: (value) => (value.includes('@') ? null : t('accounts.emailNeeded')),
      password: (value) => (value === '' ? t('accounts.passwordNeeded') : null),
    },
  });

  async function submit({ email, password }: { email: string; password: string }) {
    setBusy(true);
    setRefusal(null);
    try {
      await signIn(email.trim(), password);
      router.history.push(`/app${back ?? '/'}`);
    } catch (error) {
      const wrong = error instanceof ApiError && error.status === 401;
      setRefusal(wrong ? t('accounts.wrongPassword') : sentence(error));
      setBusy(false);
    }
  }

  if (installation.data?.setup_needed) {
    return (
      <Frame title={t('accounts.setupFirst')}>
        <p>{t('accounts.setupFirstText')}</p>
      </Frame>
    );
  }

  return (
    <Frame title={t('accounts.signIn')}>
      <form className={styles.stack} onSubmit={form.onSubmit((values) => void submit(values))} noValidate>
        {refusal === null ? null : (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        )}
        <TextInput
          label={t('accounts.email')}
          type="email"
          autoComplete="username"
          autoFocus
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t('accounts.password')}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('accounts.showPassword') }}
          {...form.getInputProps('password')}
        />
        <Button type="submit" size="md" loading={busy}>
          {t('accounts.signIn')}
        </Button>
        {installation.data?.signup === 'open' ? <Link to="/sign-up">{t('accounts.signUp')}</Link> : null}
      </form>
    </Frame>
  );
}
