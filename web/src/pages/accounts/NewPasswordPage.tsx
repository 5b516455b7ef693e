import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { clearCache } from '#web/session.ts';
import styles from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { post } from '#web/write.ts';
import { Frame } from './Frame.tsx';
import { isVoidLink, useLinkToken } from './link-token.ts';
import { NewPassword } from './NewPassword.tsx';

/** The page behind the link of a password reset mail: sets a new password and ends all sessions. */
export default function NewPasswordPage() {
  const { token, forget } = useLinkToken('new-password');
  return <NewPasswordForm key={token} token={token} forget={forget} />;
}

function NewPasswordForm({ token, forget }: { token: string | null; forget: () => void }) {
  const { t } = useTranslation();
  const router = useRouter();
  const write = useWrite();
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value.length < 8 ? t('accounts.passwordShort') : null) },
  });

  const submit = (newPassword: string) =>
    write.run(async () => {
      await post('/auth/reset-password', { newPassword, token });
      forget();
      clearCache();
      await router.navigate({ to: '/sign-in', state: { note: 'new_password' } });
    });

  if (token === null || isVoidLink(write.error)) {
    return (
      <Frame title={t('accounts.linkVoidTitle')}>
        <p>{t(token === null ? 'accounts.linkMissing' : 'accounts.linkVoid')}</p>
        <Button component={Link} to="/forgot-password" onClick={forget}>
          {t('accounts.askAgain')}
        </Button>
      </Frame>
    );
  }
  return (
    <Frame title={t('accounts.newPassword')} lead={t('accounts.newPasswordLead')}>
      <form
        className={styles.stack}
        onSubmit={form.onSubmit(({ password }) => void submit(password))}
        noValidate
      >
        <Refused write={write} />
        <NewPassword label={t('accounts.newPassword')} autoFocus {...form.getInputProps('password')} />
        <Button type="submit" size="md" loading={write.busy} disabled={write.waitSeconds > 0}>
          {t('accounts.setPassword')}
        </Button>
      </form>
    </Frame>
  );
}
