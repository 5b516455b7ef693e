import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { confirmSignUp } from '#src/accounts/contract.ts';
import { ApiError } from '#web/call.ts';
import { clearCache } from '#web/session.ts';
import styles from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { Frame } from './Frame.tsx';
import { isVoidLink, useLinkToken } from './link-token.ts';
import { PasswordField } from './PasswordField.tsx';

/** The page behind the link of a sign-up mail: it creates the account with the password from the sign-up form. */
export default function ConfirmSignUpPage() {
  const { token, forget } = useLinkToken('sign-up');
  return <ConfirmForm key={token} token={token} forget={forget} />;
}

function ConfirmForm({ token, forget }: { token: string | null; forget: () => void }) {
  const { t } = useTranslation();
  const router = useRouter();
  const write = useWrite({
    words: (refused) => {
      if (!(refused instanceof ApiError)) return undefined;
      if (refused.status === 401) return t('accounts.notThePassword');
      return refused.status === 403 ? t('errors.reasons.email_password_sign_up_disabled') : undefined;
    },
  });
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value === '' ? t('accounts.passwordNeeded') : null) },
  });

  const submit = (password: string) =>
    write.run(async () => {
      await send(confirmSignUp, { body: { token: token ?? '', password } });
      forget();
      clearCache();
      router.history.push('/app/');
    });

  if (token === null || isVoidLink(write.error)) {
    return (
      <Frame title={t('accounts.linkVoidTitle')}>
        <p>{t(token === null ? 'accounts.signUpLinkMissing' : 'accounts.signUpLinkVoid')}</p>
        <Button component={Link} to="/sign-up" onClick={forget}>
          {t('accounts.signUpAgain')}
        </Button>
        <Link to="/sign-in">{t('accounts.haveAccount')}</Link>
      </Frame>
    );
  }
  return (
    <Frame title={t('accounts.confirmSignUp')} lead={t('accounts.confirmSignUpLead')}>
      <form
        className={styles.stack}
        onSubmit={form.onSubmit(({ password }) => void submit(password))}
        noValidate
      >
        <Refused write={write} />
        <PasswordField autoFocus {...form.getInputProps('password')} />
        <Button type="submit" size="md" loading={write.busy} disabled={write.waitSeconds > 0}>
          {t('accounts.confirmSignUp')}
        </Button>
      </form>
    </Frame>
  );
}
