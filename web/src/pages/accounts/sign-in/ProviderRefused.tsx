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
/** What the library says when the answer belongs to no question of this browser (any more). */
const EXPIRED = ['state_mismatch', 'state_not_found', 'state_invalid', 'please_restart_the_process'];

/** Why the way over the OIDC provider failed; codes come from outside, so only known ones are put into words. */
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
