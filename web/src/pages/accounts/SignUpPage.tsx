import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { signUp } from '#web/session.ts';
import styles from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { Frame } from './Frame.tsx';
import { NewPassword } from './NewPassword.tsx';
import { Note } from './Note.tsx';

export default function SignUpPage() {
  const { t } = useTranslation();
  const router = useRouter();
  const write = useWrite();
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const form = useForm({
    initialValues: { name: '', email: '', password: '' },
    validate: {
      name: (value) => (value.trim() === '' ? t('accounts.nameNeeded') : null),
      email: (value) => (value.includes('@') ? null : t('accounts.emailNeeded')),
      password: (value) => (value.length < 8 ? t('accounts.passwordShort') : null),
    },
  });

  const submit = ({ name, email, password }: { name: string; email: string; password: string }) =>
    write.run(async () => {
      const next = await signUp(name.trim(), email.trim(), password);
      if (next === 'mailed') setMailedTo(email.trim());
      else router.history.push('/app/');
    });

  if (mailedTo !== null) {
    return (
      <Frame title={t('accounts.mailSentTitle')}>
        <Note>{t('accounts.signUpMailed', { email: mailedTo })}</Note>
        <p>{t('accounts.signUpMailedText')}</p>
        <Button variant="default" size="md" onClick={() => setMailedTo(null)}>
          {t('accounts.signUpAgain')}
        </Button>
      </Frame>
    );
  }
  return (
    <Frame title={t('accounts.signUp')}>
      <form className={styles.stack} onSubmit={form.onSubmit((values) => void submit(values))} noValidate>
        <Refused write={write} />
        <TextInput
          label={t('accounts.yourName')}
          autoComplete="name"
          autoFocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('accounts.email')}
          type="email"
          autoComplete="username"
          {...form.getInputProps('email')}
        />
        <NewPassword {...form.getInputProps('password')} />
        <Button type="submit" size="md" loading={write.busy} disabled={write.waitSeconds > 0}>
          {t('accounts.signUp')}
        </Button>
        <Link to="/sign-in">{t('accounts.haveAccount')}</Link>
      </form>
    </Frame>
  );
}
