import { Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { PasskeyError, passkeyObstacle, signInWithPasskey, signInWithSuggestedPasskey } from '../passkeys.ts';
import { ProviderButton } from './ProviderButton.tsx';
import styles from './SignIn.module.css';

type Props = { provider: { name: string } | null; back: string | undefined; onSignedIn: () => void };

/**
 * Signing in without a password: with a passkey if the browser supports them, or with the OIDC provider if there is one.
 */
export function OtherSignInMethods({ provider, back, onSignedIn }: Props) {
  const { t } = useTranslation();
  const write = useWrite({
    words: (error) =>
      error instanceof PasskeyError ? t(`accounts.passkeyProblem.${error.kind}`) : undefined,
  });
  const withPasskeys = passkeyObstacle() === null;
  const signedIn = useRef(onSignedIn);
  signedIn.current = onSignedIn;

  // The field suggests passkeys from the start, and again after the button's prompt has failed.
  const asking = write.busy;
  useEffect(() => {
    if (asking) return;
    const left = new AbortController();
    void signInWithSuggestedPasskey(left.signal).then((chosen) => (chosen ? signedIn.current() : undefined));
    return () => left.abort();
  }, [asking]);

  if (!withPasskeys && provider === null) return null;
  return (
    <>
      <div className={styles.or}>{t('accounts.or')}</div>
      <div className={styles.ways}>
        <Refused write={write} />
        {withPasskeys ? (
          <Button
            variant="default"
            size="md"
            leftSection={<IconFingerprint size={18} stroke={1.7} />}
            loading={write.busy}
            disabled={write.waitSeconds > 0}
            onClick={() =>
              void write.run(async () => {
                await signInWithPasskey();
                onSignedIn();
              })
            }
          >
            {t('accounts.passkey')}
          </Button>
        ) : null}
        {provider === null ? null : <ProviderButton name={provider.name} back={back} />}
      </div>
    </>
  );
}
