import { Button, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getInstallation, type Me, reauthenticate } from '#src/accounts/contract.ts';
import { ApiError } from '#web/call.ts';
import { read } from '#web/read.ts';
import styles from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { PasswordField } from './PasswordField.tsx';
import { PasskeyError, passkeyObstacle, reauthenticateWithPasskey } from './passkeys.ts';
import { ProviderButton } from './sign-in/ProviderButton.tsx';

type Props = { me: Me; onConfirmed: () => void; onCancel: () => void };

/** Asks for the password, with a code if two-factor is on; or a passkey; or, for people with neither, the OIDC provider. */
export function ReauthenticateForm({ me, onConfirmed, onCancel }: Props) {
  const { t } = useTranslation();
  const write = useWrite({
    words: (error) => {
      if (error instanceof PasskeyError) return t(`accounts.passkeyProblem.${error.kind}`);
      const field = error instanceof ApiError ? error.field : undefined;
      if (field === 'passkey') return t('accounts.passkeyProblem.failed');
      if (field === 'password') return t('errors.reasons.invalid_password');
      return field === 'code' ? t('errors.reasons.invalid_code') : undefined;
    },
  });
  const returnTo = useRouterState({ select: ({ location }) => location.href });
  const provider = useQuery(read(getInstallation, {})).data?.oidc ?? null;
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const withPasskey = me.passkeys > 0 && passkeyObstacle() === null;
  const withProvider = !me.has_password && provider !== null;
  const complete = password !== '' && (!me.two_factor_enabled || code.trim() !== '');

  const confirm = (work: () => Promise<unknown>) =>
    write.run(async () => {
      await work();
      onConfirmed();
    });
  const given = me.two_factor_enabled ? { password, code: code.trim() } : { password };

  return (
    <form
      className={styles.stack}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (complete) void confirm(() => send(reauthenticate, { body: given }));
      }}
    >
      <p>{t(withProvider ? 'security.again.byProvider' : 'security.again.text')}</p>
      <Refused write={write} fields={['password', 'code']} />
      <input type="email" autoComplete="username" value={me.email} readOnly hidden />
      {me.has_password ? (
        <PasswordField
          data-autofocus
          label={t('security.yourPassword')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={write.at('password')}
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
          error={write.at('code')}
        />
      ) : null}
      {withPasskey ? (
        <Button
          variant="default"
          leftSection={<IconFingerprint size={18} stroke={1.7} />}
          disabled={write.busy || write.waitSeconds > 0}
          onClick={() => void confirm(reauthenticateWithPasskey)}
        >
          {t('security.again.passkey')}
        </Button>
      ) : null}
      {withProvider ? <ProviderButton name={provider.name} back={returnTo} /> : null}
      <div className={styles.actions}>
        <Button variant="default" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        {me.has_password ? (
          <Button type="submit" disabled={!complete || write.waitSeconds > 0} loading={write.busy}>
            {t('security.again.confirm')}
          </Button>
        ) : null}
      </div>
    </form>
  );
}
