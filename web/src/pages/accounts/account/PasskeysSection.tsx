import { Button } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { type Passkey, passkeyObstacle, passkeysQuery } from '../passkeys.ts';
import { AddPasskey } from './AddPasskey.tsx';
import { PasskeyRow } from './PasskeyRow.tsx';
import styles from './PasskeysSection.module.css';
import { RemovePasskey } from './RemovePasskey.tsx';
import { Section } from './Section.tsx';

/** The same page under localhost, since passkeys need a host name. */
function localhostUrl(): string {
  const url = new URL('/app/account', window.location.href);
  url.hostname = 'localhost';
  return url.href;
}

/** Lists, adds, renames and removes passkeys. */
export function PasskeysSection() {
  const { t } = useTranslation();
  const passkeys = useQuery(passkeysQuery);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const obstacle = passkeyObstacle();

  return (
    <Section name="passkeys" title={t('security.passkeys.title')} lead={t('security.passkeys.lead')} flush>
      {passkeys.isPending ? (
        <div className={styles.inset}>
          <LoadingRows count={1} />
        </div>
      ) : null}
      {passkeys.isError ? (
        <div className={styles.inset}>
          <Failure error={passkeys.error} retry={passkeys.refetch} />
        </div>
      ) : null}
      {passkeys.data?.length === 0 ? <p className={styles.none}>{t('security.passkeys.none')}</p> : null}
      <ul className={styles.list}>
        {passkeys.data?.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setRemoving(passkey)} />
        ))}
      </ul>
      <div className={styles.foot}>
        {obstacle === null ? (
          <Button variant="default" onClick={() => setAdding(true)}>
            {t('security.passkeys.add')}
          </Button>
        ) : (
          <p className={styles.obstacle}>
            <IconInfoCircle size={16} stroke={1.7} aria-hidden="true" />
            <span>
              {t(`security.passkeys.obstacle.${obstacle}`)}
              {obstacle === 'loopback' ? (
                <>
                  {' '}
                  <a href={localhostUrl()}>{localhostUrl()}</a>
                </>
              ) : null}
            </span>
          </p>
        )}
      </div>
      {adding ? <AddPasskey onClose={() => setAdding(false)} /> : null}
      {removing === null ? null : <RemovePasskey passkey={removing} onClose={() => setRemoving(null)} />}
    </Section>
  );
}
