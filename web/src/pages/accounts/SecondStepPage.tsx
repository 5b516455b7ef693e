import { Button, TextInput, UnstyledButton } from '@mantine/core';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { signInWithCode, signInWithRecoveryCode } from '#web/session.ts';
import styles from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { CODE_DIGITS, CodeField } from './CodeField.tsx';
import { Frame } from './Frame.tsx';
import page from './sign-in/SignIn.module.css';

/** The second step after the password: a code of the authenticator app, or a recovery code. */
export default function SecondStepPage() {
  const { t } = useTranslation();
  const router = useRouter();
  const { back } = useSearch({ from: '/second-step' });
  const [withApp, setWithApp] = useState(true);
  const [code, setCode] = useState('');
  const write = useWrite();

  const submit = (given: string) =>
    write.run(async () => {
      try {
        await (withApp ? signInWithCode(given) : signInWithRecoveryCode(given.trim()));
      } catch (error) {
        if (withApp) setCode('');
        throw error;
      }
      router.history.push(`/app${back ?? '/'}`);
    });

  function change() {
    setWithApp(!withApp);
    setCode('');
    write.reset();
  }

  const complete = withApp ? code.length === CODE_DIGITS : code.trim() !== '';
  return (
    <Frame title={t('accounts.secondStep')} lead={t(withApp ? 'accounts.codeLead' : 'accounts.recoveryLead')}>
      <form
        className={styles.stack}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (complete) void submit(code);
        }}
      >
        <Refused write={write} />
        {withApp ? (
          <CodeField
            value={code}
            onChange={setCode}
            onComplete={(given) => void submit(given)}
            disabled={write.busy}
          />
        ) : (
          <TextInput
            key="recovery"
            label={t('accounts.recoveryCode')}
            classNames={{ input: 'mono' }}
            size="md"
            autoFocus
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        <Button type="submit" size="md" loading={write.busy} disabled={!complete || write.waitSeconds > 0}>
          {t('accounts.continue')}
        </Button>
      </form>
      <p className={page.alternative}>
        <UnstyledButton className={page.link} onClick={change}>
          {t(withApp ? 'accounts.useRecovery' : 'accounts.useCode')}
        </UnstyledButton>
        <Link to="/sign-in" search={back === undefined ? {} : { back }}>
          {t('accounts.startOver')}
        </Link>
      </p>
    </Frame>
  );
}
