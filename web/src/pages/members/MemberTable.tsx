import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Member, removeMember } from '#src/members/contract.ts';
import { listMyOrganizations } from '#src/organizations/contract.ts';
import { read } from '#web/read.ts';
import { sessionQuery } from '#web/session.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import table from '#web/ui/Table.module.css';
import { send } from '#web/write.ts';
import { LeaveOrganization } from '../organizations/LeaveOrganization.tsx';
import { CreatedKeys, useCreatedKeys } from './CreatedKeys.tsx';
import { MemberRow } from './MemberRow.tsx';
import styles from './MemberTable.module.css';

/** The members of an organization, in the order they joined. */
export function MemberTable({ members }: { members: Member[] }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const session = useQuery(sessionQuery);
  const organizations = useQuery(read(listMyOrganizations, {}));
  const organization = organizations.data?.find((each) => each.id === orgId);
  const [removing, setRemoving] = useState<Member | null>(null);
  const [revokeKeys, setRevokeKeys] = useState(false);
  const madeKeys = useCreatedKeys(removing?.user_id);
  const [leaving, setLeaving] = useState(false);
  const me = session.data?.user.id;
  const owners = members.filter((member) => member.role === 'owner').length;

  async function remove() {
    if (removing === null) return;
    const query = revokeKeys && madeKeys.length > 0 ? { revoke_keys: true } : {};
    await send(removeMember, { params: { org_id: orgId, user_id: removing.user_id }, query }, () =>
      notifications.show({ message: t('members.removed', { name: removing.name }) }),
    );
  }

  function askToRemove(member: Member) {
    setRevokeKeys(false);
    setRemoving(member);
  }

  return (
    <>
      <table className={table.table} aria-label={t('members.title')}>
        <thead className={styles.head}>
          <tr>
            <th scope="col">{t('members.person')}</th>
            <th scope="col">{t('members.role')}</th>
            <th scope="col" className={styles.wide}>
              {t('members.twoFactor')}
            </th>
            <th scope="col" className={styles.wide}>
              {t('members.joined')}
            </th>
            <th scope="col">
              <span className="visually-hidden">{t('members.removeConfirm')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <MemberRow
              key={member.user_id}
              member={member}
              isMe={member.user_id === me}
              isOnlyOwner={member.role === 'owner' && owners === 1}
              onRemove={() => (member.user_id === me ? setLeaving(true) : askToRemove(member))}
            />
          ))}
        </tbody>
      </table>
      <Confirm
        opened={removing !== null}
        title={t('members.removeTitle', { name: removing?.name ?? '' })}
        text={t('members.removeText')}
        confirm={t('members.removeConfirm')}
        onConfirm={remove}
        onClose={() => setRemoving(null)}
      >
        <CreatedKeys keys={madeKeys} revoke={revokeKeys} onRevoke={setRevokeKeys} />
      </Confirm>
      {organization === undefined ? null : (
        <LeaveOrganization organization={organization} opened={leaving} onClose={() => setLeaving(false)} />
      )}
    </>
  );
}
