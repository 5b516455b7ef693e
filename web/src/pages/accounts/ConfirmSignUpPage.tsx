import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { confirmSignUp } from '#src/accounts/contract.ts';
import { ApiError, call } from '#web/call.ts';
import { forgetEverything } from '#web/session.ts';
import styles from '#web/ui/Form.module.css';
import { Frame } from './Frame.tsx';
import { useLinkToken } from './link-token.ts';
import { PasswordField } from './PasswordField.tsx';
import { Refused } from './Refused.tsx';
import { useSubmission } from './use-submission.ts';

const isVoid = (error: unknown) => error instanceof ApiError && error.reason === 'invalid_token';

/** Where the mail of a sign-up leads: the account is made with the password that was chosen there. */
export default function ConfirmSignUpPage() {
  const { token, forget } = useLinkToken('sign-up');
  return <ConfirmForm key={token} token={token} forget={forget} />;
}

function ConfirmForm({ token, forget }: { token: string | null; forget: () => void }) {
  const { t } = useTranslation();
  const router = useRouter();
  const submission = useSubmission();
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value === '' ? t('accounts.passwordNeeded') : null) },
  });

  const submit = (password: string) =>
    submission.run(async () => {
      await call(confirmSignUp, { body: { token: token ?? '', password } });
      forget();
      forgetEverything();
      router.history.push('/app/');
    });

  if (token === null || isVoid(submission.error)) {
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
        <Refused
          submission={submission}
          words={(refused) =>
            refused instanceof ApiError && refused.status === 401 ? t('accounts.notThePassword') : undefined
          }
        />
        <PasswordField autoFocus {...form.getInputProps('password')} />
        <Button type="submit" size="md" loading={submission.busy} disabled={submission.waitSeconds > 0}>
          {t('accounts.confirmSignUp')}
        </Button>
      </form>
    </Frame>
  );
}
