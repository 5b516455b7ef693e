import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiKey, revokeApiKey } from '#src/api-keys/contract.ts';
import { useFormats } from '#web/format.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import table from '#web/ui/Table.module.css';
import { Ago } from '#web/ui/Times.tsx';
import { Until } from '#web/ui/Until.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { send } from '#web/write.ts';
import { KeyResources } from './KeyResources.tsx';
import styles from './KeyTable.module.css';
import { ScopeChips } from './ScopeChips.tsx';

/** Existing keys by name and first characters, with their scopes. */
export function KeyTable({ keys }: { keys: ApiKey[] }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const [revoking, setRevoking] = useState<ApiKey | null>(null);

  async function revoke() {
    if (revoking === null) return;
    await send(revokeApiKey, { params: { org_id: orgId, key_id: revoking.id } }, () =>
      notifications.show({ message: t('keys.revoked', { name: revoking.name }) }),
    );
  }

  return (
    <>
      <table className={table.table} aria-label={t('keys.title')}>
        <thead>
          <tr>
            <th scope="col">{t('keys.key')}</th>
            <th scope="col" className={styles.wide}>
              {t('keys.access')}
            </th>
            <th scope="col" className={styles.wide}>
              {t('keys.lastUsed')}
            </th>
            <th scope="col" className={styles.wide}>
              {t('keys.expiry')}
            </th>
            <th scope="col">
              <span className="visually-hidden">{t('keys.revoke')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
          ))}
        </tbody>
      </table>
      <Confirm
        opened={revoking !== null}
        title={t('keys.revokeTitle', { name: revoking?.name ?? '' })}
        text={t('keys.revokeText')}
        confirm={t('keys.revoke')}
        onConfirm={revoke}
        onClose={() => setRevoking(null)}
      />
    </>
  );
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const when = formats.date(apiKey.created_at_unix);
  const name = apiKey.created_by_name;
  const lastUsed =
    apiKey.last_used_at_unix === null ? t('keys.neverUsed') : <Ago unix={apiKey.last_used_at_unix} />;
  return (
    <tr>
      <td className={styles.key}>
        <span className={styles.name}>{apiKey.name}</span>
        <span className={`mono ${styles.prefix}`}>{apiKey.prefix}…</span>
        <span className={styles.made}>
          {name === null ? t('keys.created', { when }) : t('keys.createdBy', { when, name })}
        </span>
        {apiKey.created_by_gone ? (
          <span className={styles.gone}>
            <IconAlertTriangle size={14} stroke={1.8} aria-hidden="true" />
            {t(name === null ? 'keys.makerDeleted' : 'keys.makerGone')}
          </span>
        ) : null}
        <div className={styles.narrow}>
          <Access apiKey={apiKey} />
          <span className={styles.made}>
            {t('keys.lastUsed')}: {lastUsed} · {t('keys.expiry')}: <Expiry unix={apiKey.expires_at_unix} />
          </span>
        </div>
      </td>
      <td className={`${styles.wide} ${styles.access}`}>
        <Access apiKey={apiKey} />
      </td>
      <td className={`${styles.wide} ${styles.when}`}>{lastUsed}</td>
      <td className={`${styles.wide} ${styles.when}`}>
        <Expiry unix={apiKey.expires_at_unix} />
      </td>
      <td className={styles.end}>
        <Button
          size="xs"
          variant="default"
          aria-label={t('keys.revokeOf', { name: apiKey.name })}
          onClick={onRevoke}
        >
          {t('keys.revoke')}
        </Button>
      </td>
    </tr>
  );
}

function Access({ apiKey }: { apiKey: ApiKey }) {
  return (
    <>
      <ScopeChips scopes={apiKey.scopes} />
      <KeyResources apiKey={apiKey} />
    </>
  );
}

function Expiry({ unix }: { unix: number | null }) {
  const { t } = useTranslation();
  const now = useNow();
  if (unix === null) return <span>{t('keys.never')}</span>;
  if (unix <= now) return <span className={styles.expired}>{t('keys.expired')}</span>;
  return <Until unix={unix} />;
}
