import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const KNOWN = [
  'access_denied',
  'signup_disabled',
  'account_not_linked',
  'email_is_missing',
  'email_not_verified',
  'provider_error',
] as const;
/** The library's code for an answer that this browser did not ask for, or no longer waits for. */
const EXPIRED = ['state_mismatch', 'state_not_found', 'state_invalid', 'please_restart_the_process'];

/** Why signing in through the OIDC provider failed. Codes come from outside, so only known ones get a sentence. */
export function ProviderRefused({ code, provider }: { code: string; provider: string }) {
  const { t } = useTranslation();
  const said = code.toLowerCase();
  const known = EXPIRED.includes(said) ? 'expired' : KNOWN.find((each) => each === said);
  return (
    <Alert color="red" role="alert">
      {known === undefined
        ? t('accounts.provider.other', { name: provider, code: /^[\w'-]{1,60}$/.test(code) ? code : '?' })
        : t(`accounts.provider.${known}`, { name: provider })}
    </Alert>
  );
}
