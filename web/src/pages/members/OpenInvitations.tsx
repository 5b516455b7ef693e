import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ROLES } from '#src/domain/names.ts';
import { type Invitation, listInvitations, revokeInvitation } from '#src/members/contract.ts';
import { MAX_PAGE, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import table from '#web/ui/Table.module.css';
import { Until } from '#web/ui/Until.tsx';
import { send } from '#web/write.ts';
import styles from './OpenInvitations.module.css';

const roleOf = (invitation: Invitation) => ROLES.find((role) => role === invitation.role) ?? 'member';

/** Pending invitations. */
export function OpenInvitations() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const invitations = useQuery(read(listInvitations, { params: { org_id: orgId }, query: MAX_PAGE }));
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const list = invitations.data ?? [];

  async function revoke() {
    if (revoking === null) return;
    await send(revokeInvitation, { params: { org_id: orgId, invitation_id: revoking.id } }, () =>
      notifications.show({ message: t('invitations.revoked', { email: revoking.email }) }),
    );
  }

  return (
    <Panel title={t('invitations.title')} flush={list.length > 0}>
      {invitations.isPending ? <LoadingRows count={1} height={40} /> : null}
      {invitations.isError ? <Failure error={invitations.error} retry={invitations.refetch} /> : null}
      {invitations.isSuccess && list.length === 0 ? (
        <p className={styles.none}>{t('invitations.none')}</p>
      ) : null}
      {list.length === 0 ? null : (
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t('invitations.email')}</th>
              <th scope="col" className={styles.wide}>
                {t('invitations.role')}
              </th>
              <th scope="col" className={styles.wide}>
                {t('invitations.expires')}
              </th>
              <th scope="col">
                <span className="visually-hidden">{t('invitations.revoke')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {list.map((invitation) => (
              <tr key={invitation.id}>
                <td className={`${styles.email} ${styles.middle}`}>
                  {invitation.email}
                  <span className={styles.narrow}>
                    {t(`roles.${roleOf(invitation)}`)} · {t('invitations.expires')}{' '}
                    <Until unix={invitation.expires_at_unix} />
                  </span>
                </td>
                <td className={`${styles.wide} ${styles.middle}`}>{t(`roles.${roleOf(invitation)}`)}</td>
                <td className={`${styles.wide} ${styles.middle} ${table.quiet}`}>
                  <Until unix={invitation.expires_at_unix} />
                </td>
                <td className={styles.end}>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={t('invitations.revokeOf', { email: invitation.email })}
                    onClick={() => setRevoking(invitation)}
                  >
                    {t('invitations.revoke')}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Confirm
        opened={revoking !== null}
        title={t('invitations.revokeTitle', { email: revoking?.email ?? '' })}
        text={t('invitations.revokeText')}
        confirm={t('invitations.revoke')}
        onConfirm={revoke}
        onClose={() => setRevoking(null)}
      />
    </Panel>
  );
}
