import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { removeMember } from '#src/members/contract.ts';
import type { Organization } from '#src/organizations/contract.ts';
import { queryClient } from '#web/read.ts';
import { sessionQuery } from '#web/session.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import { send } from '#web/write.ts';
import { CreatedKeys, useCreatedKeys } from '../members/CreatedKeys.tsx';
import { useLeaveAndNavigate } from './leave-and-navigate.ts';

type Props = { organization: Organization; opened: boolean; onClose: () => void };

/** Asks before the reader leaves an organization, then opens another. */
export function LeaveOrganization({ organization, opened, onClose }: Props) {
  const { t } = useTranslation();
  const leadAway = useLeaveAndNavigate();
  const { id, name } = organization;
  const session = useQuery(sessionQuery);
  const [revokeKeys, setRevokeKeys] = useState(false);
  const madeKeys = useCreatedKeys(opened ? session.data?.user.id : undefined);

  async function leave() {
    const own = await queryClient.ensureQueryData(sessionQuery);
    const query = revokeKeys && madeKeys.length > 0 ? { revoke_keys: true } : {};
    await leadAway(id, (away) =>
      send(removeMember, { params: { org_id: id, user_id: own?.user.id ?? '' }, query }, () => {
        notifications.show({ message: t('settings.leave.done', { name }) });
        return away();
      }),
    );
  }

  return (
    <Confirm
      opened={opened}
      title={t('settings.leave.title')}
      text={t('settings.leave.text', { name })}
      confirm={t('settings.leave.button')}
      onConfirm={leave}
      onClose={() => {
        setRevokeKeys(false);
        onClose();
      }}
    >
      <CreatedKeys keys={madeKeys} own revoke={revokeKeys} onRevoke={setRevokeKeys} />
    </Confirm>
  );
}
