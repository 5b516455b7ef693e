import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listMembers } from '#src/members/contract.ts';
import { deleteOrganization, type Organization } from '#src/organizations/contract.ts';
import { MAX_PAGE, read } from '#web/read.ts';
import { useMyRole } from '#web/shell/my-role.ts';
import { ConfirmByName } from '#web/ui/ConfirmByName.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { send } from '#web/write.ts';
import styles from './DangerZone.module.css';
import { LeaveOrganization } from './LeaveOrganization.tsx';
import { useLeaveAndNavigate } from './leave-and-navigate.ts';

/** Leaves the organization, or deletes it for everybody. */
export function DangerZone({ organization }: { organization: Organization }) {
  const { t } = useTranslation();
  const leadAway = useLeaveAndNavigate();
  const role = useMyRole();
  const members = useQuery(read(listMembers, { params: { org_id: organization.id }, query: MAX_PAGE }));
  const [dialog, setDialog] = useState<'leave' | 'delete' | null>(null);
  const owners = members.data?.filter((member) => member.role === 'owner').length;
  const isLastOwner = role === 'owner' && owners === 1;
  const isOwner = role === 'owner';
  const { name } = organization;

  async function remove() {
    await leadAway(organization.id, (away) =>
      send(deleteOrganization, { params: { org_id: organization.id } }, () => {
        notifications.show({ message: t('settings.delete.done', { name }) });
        return away();
      }),
    );
  }

  return (
    <Panel title={t('settings.danger')}>
      <div className={styles.rows}>
        <div className={styles.row}>
          <div className={styles.words}>
            <h3 className={styles.title}>{t('settings.leave.title')}</h3>
            <p>{t(isLastOwner ? 'settings.leave.lastOwner' : 'settings.leave.lead')}</p>
          </div>
          <Button variant="danger" disabled={isLastOwner} onClick={() => setDialog('leave')}>
            {t('settings.leave.button')}
          </Button>
        </div>
        <div className={styles.row}>
          <div className={styles.words}>
            <h3 className={styles.title}>{t('settings.delete.title')}</h3>
            <p>{t(isOwner ? 'settings.delete.lead' : 'settings.delete.ownersOnly')}</p>
          </div>
          <Button variant="danger" disabled={!isOwner} onClick={() => setDialog('delete')}>
            {t('settings.delete.button')}
          </Button>
        </div>
      </div>
      <LeaveOrganization
        organization={organization}
        opened={dialog === 'leave'}
        onClose={() => setDialog(null)}
      />
      <ConfirmByName
        opened={dialog === 'delete'}
        title={t('settings.delete.title')}
        text={t('settings.delete.text', { name })}
        name={name}
        confirm={t('settings.delete.button')}
        onConfirm={remove}
        onClose={() => setDialog(null)}
      />
    </Panel>
  );
}
