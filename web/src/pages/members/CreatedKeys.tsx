import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type ApiKey, listApiKeys } from '#src/api-keys/contract.ts';
import { MAX_PAGE, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { mayAdminister, useMyRole } from '#web/shell/my-role.ts';
import { Ago } from '#web/ui/Times.tsx';
import styles from './CreatedKeys.module.css';

/** The API keys that a person created in the organization on screen; none if the reader may not see them. */
export function useCreatedKeys(userId: string | undefined): ApiKey[] {
  const orgId = useOrgId();
  const role = useMyRole();
  const keys = useQuery({
    ...read(listApiKeys, { params: { org_id: orgId }, query: MAX_PAGE }),
    enabled: userId !== undefined && role !== undefined && mayAdminister(role),
  });
  return userId === undefined ? [] : (keys.data ?? []).filter((key) => key.created_by_user_id === userId);
}

type Props = { keys: ApiKey[]; own?: boolean; revoke: boolean; onRevoke: (revoke: boolean) => void };

/** The person's API keys outlive their membership: lists them, with a choice to revoke them too. */
export function CreatedKeys({ keys, own = false, revoke, onRevoke }: Props) {
  const { t } = useTranslation();
  if (keys.length === 0) return null;
  const count = keys.length;
  return (
    <div className={styles.made}>
      <p>{t(own ? 'members.keys.own' : 'members.keys.theirs', { count })}</p>
      <ul className={styles.list} aria-label={t('keys.title')}>
        {keys.map((key) => (
          <li key={key.id} className={styles.key}>
            <span className={styles.name}>{key.name}</span>
            <span className={styles.used}>
              {key.last_used_at_unix === null ? (
                t('members.keys.neverUsed')
              ) : (
                <>
                  {t('keys.lastUsed')}: <Ago unix={key.last_used_at_unix} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      <Checkbox
        checked={revoke}
        onChange={(event) => onRevoke(event.currentTarget.checked)}
        label={t('members.keys.revoke', { count })}
        description={t('members.keys.revokeHint')}
      />
    </div>
  );
}
