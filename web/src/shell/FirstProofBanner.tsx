import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { getMe, type RemovedAtFirstProof, readFirstProof } from '#src/accounts/contract.ts';
import { useFormats } from '../format.ts';
import { read } from '../read.ts';
import { inNote, useWrite } from '../use-write.ts';
import { send } from '../write.ts';
import { Banner } from './Banner.tsx';

const KINDS = [
  'passwords',
  'passkeys',
  'authenticators',
  'identities',
  'sessions',
  'push_subscriptions',
  'calendars',
  'wall_links',
  'api_keys',
  'invitations',
] as const satisfies readonly (keyof RemovedAtFirstProof)[];

/** Lists the sign-in methods that were removed when the person first verified their address, until they confirm. */
export function FirstProofBanner() {
  const { t } = useTranslation();
  const formats = useFormats();
  const me = useQuery(read(getMe, {}));
  const write = useWrite({ show: inNote });
  const hide = () => write.run(() => send(readFirstProof, {}));
  const proof = me.data?.first_proof ?? null;
  if (me.data === undefined || proof === null) return null;
  return (
    <Banner
      tone="notice"
      title={t('firstProof.title')}
      actions={
        <>
          <Button size="xs" variant="default" renderRoot={(props) => <Link {...props} to="/account" />}>
            {t('security.title')}
          </Button>
          <Button size="xs" loading={write.busy} onClick={() => void hide()}>
            {t('firstProof.read')}
          </Button>
        </>
      }
    >
      <p>{t('firstProof.why', { when: formats.date(proof.at_unix), email: me.data.email })}</p>
      <ul>
        {KINDS.filter((kind) => proof.removed[kind] > 0).map((kind) => (
          <li key={kind}>{t(`firstProof.removed.${kind}`, { count: proof.removed[kind] })}</li>
        ))}
      </ul>
      <p>{t('firstProof.what')}</p>
    </Banner>
  );
}
