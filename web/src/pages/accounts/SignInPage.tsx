import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouter, useRouterState, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { getInstallation } from '#src/accounts/contract.ts';
import { ApiError } from '#web/call.ts';
import { read } from '#web/read.ts';
import { signIn } from '#web/session.ts';
import styles from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { Frame } from './Frame.tsx';
import { Note } from './Note.tsx';
import { PasswordField } from './PasswordField.tsx';
import { OtherSignInMethods } from './sign-in/OtherSignInMethods.tsx';
import { ProviderRefused } from './sign-in/ProviderRefused.tsx';
import page from './sign-in/SignIn.module.css';

export default function SignInPage() {
  const { t } = useTranslation();
  const router = useRouter();
  const { back, error } = useSearch({ from: '/sign-in' });
  const { email: known, note } = useRouterState({ select: (state) => state.location.state });
  const installation = useQuery(read(getInstallation, {}));
  const write = useWrite({
    words: (refused) =>
      refused instanceof ApiError && refused.status === 401 ? t('accounts.wrongPassword') : undefined,
  });
  const form = useForm({
    initialValues: { email: known ?? '', password: '' },
    validate: {
      email: (value) => (value.includes('@') ? null : t('accounts.emailNeeded')),
      password: (value) => (value === '' ? t('accounts.passwordNeeded') : null),
    },
  });

  const goOn = () => router.history.push(`/app${back ?? '/'}`);

  const submit = ({ email, password }: { email: string; password: string }) =>
    write.run(async () => {
      const next = await signIn(email.trim(), password);
      if (next === 'second_step') {
        await router.navigate({ to: '/second-step', search: back === undefined ? {} : { back } });
      } else goOn();
    });

  if (installation.data?.setup_needed) {
    return (
      <Frame title={t('accounts.setupFirst')}>
        <p>{t('accounts.setupFirstText')}</p>
      </Frame>
    );
  }

  const provider = installation.data?.oidc ?? null;
  return (
    <Frame title={t('accounts.signIn')}>
      {note === 'new_password' ? <Note>{t('accounts.newPasswordSet')}</Note> : null}
      {note === 'deleted' ? <Note>{t('accounts.deleted')}</Note> : null}
      {error === undefined ? null : <ProviderRefused code={error} provider={provider?.name ?? 'OpenID'} />}
      <form className={styles.stack} onSubmit={form.onSubmit((values) => void submit(values))} noValidate>
        <Refused write={write} />
        <TextInput
          label={t('accounts.email')}
          type="email"
          autoComplete="username webauthn"
          autoFocus={known === undefined}
          {...form.getInputProps('email')}
        />
        <div className={page.password}>
          <PasswordField autoFocus={known !== undefined} {...form.getInputProps('password')} />
          {installation.data?.mail ? (
            <Link className={page.forgot} to="/forgot-password" state={{ email: form.values.email.trim() }}>
              {t('accounts.forgot')}
            </Link>
          ) : null}
        </div>
        <Button type="submit" size="md" loading={write.busy} disabled={write.waitSeconds > 0}>
          {t('accounts.signIn')}
        </Button>
      </form>
      <OtherSignInMethods provider={provider} back={back} onSignedIn={goOn} />
      {installation.data?.signup === 'open' ? (
        <p className={page.alternative}>
          <Link to="/sign-up">{t('accounts.signUp')}</Link>
        </p>
      ) : null}
    </Frame>
  );
}
