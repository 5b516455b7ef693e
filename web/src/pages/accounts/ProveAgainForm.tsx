import { Button, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getInstallation, type Me, reauthenticate } from '#src/accounts/contract.ts';
import { ApiError, call } from '#web/call.ts';
import { read } from '#web/read.ts';
import styles from '#web/ui/Form.module.css';
import { PasswordField } from './PasswordField.tsx';
import { PasskeyError, passkeyObstacle, proveWithPasskey } from './passkeys.ts';
import { Refused } from './Refused.tsx';
import { ProviderButton } from './sign-in/ProviderButton.tsx';
import { useSubmission } from './use-submission.ts';

type Props = { me: Me; onProven: () => void; onCancel: () => void };

const fieldOf = (error: unknown) => (error instanceof ApiError ? error.field : undefined);

/** The password, with the code where two-factor is on; or a passkey; or, for who has neither, the provider once more. */
export function ProveAgainForm({ me, onProven, onCancel }: Props) {
  const { t } = useTranslation();
  const submission = useSubmission();
  const here = useRouterState({ select: ({ location }) => location.href });
  const provider = useQuery(read(getInstallation, {})).data?.oidc ?? null;
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const withPasskey = me.passkeys > 0 && passkeyObstacle() === null;
  const withProvider = !me.has_password && provider !== null;
  const wrong = fieldOf(submission.error);
  const complete = password !== '' && (!me.two_factor_enabled || code.trim() !== '');

  const prove = (work: () => Promise<unknown>) =>
    submission.run(async () => {
      await work();
      onProven();
    });
  const given = me.two_factor_enabled ? { password, code: code.trim() } : { password };

  return (
    <form
      className={styles.stack}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (complete) void prove(() => call(reauthenticate, { body: given }));
      }}
    >
      <p>{t(withProvider ? 'security.again.byProvider' : 'security.again.text')}</p>
      {wrong === 'password' || wrong === 'code' ? null : (
        <Refused
          submission={submission}
          words={(error) => {
            if (error instanceof PasskeyError) return t(`accounts.passkeyProblem.${error.kind}`);
            return fieldOf(error) === 'passkey' ? t('accounts.passkeyProblem.failed') : undefined;
          }}
        />
      )}
      <input type="email" autoComplete="username" value={me.email} readOnly hidden />
      {me.has_password ? (
        <PasswordField
          data-autofocus
          label={t('security.yourPassword')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={wrong === 'password' ? t('errors.reasons.invalid_password') : null}
        />
      ) : null}
      {me.has_password && me.two_factor_enabled ? (
        <TextInput
          label={t('security.again.code')}
          description={t('security.again.codeHint')}
          classNames={{ input: 'mono' }}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={wrong === 'code' ? t('errors.reasons.invalid_code') : null}
        />
      ) : null}
      {withPasskey ? (
        <Button
          variant="default"
          leftSection={<IconFingerprint size={18} stroke={1.7} />}
          disabled={submission.busy || submission.waitSeconds > 0}
          onClick={() => void prove(proveWithPasskey)}
        >
          {t('security.again.passkey')}
        </Button>
      ) : null}
      {withProvider ? <ProviderButton name={provider.name} back={here} /> : null}
      <div className={styles.actions}>
        <Button variant="default" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        {me.has_password ? (
          <Button type="submit" disabled={!complete || submission.waitSeconds > 0} loading={submission.busy}>
            {t('security.again.confirm')}
          </Button>
        ) : null}
      </div>
    </form>
  );
}
