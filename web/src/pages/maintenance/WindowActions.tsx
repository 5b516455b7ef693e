import { Button } from '@mantine/core';
import { IconCalendarOff, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MaintenanceScope, MaintenanceState } from '#src/domain/names.ts';
import { cancelMaintenance, deleteMaintenance, type MaintenanceWindow } from '#src/maintenance/contract.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import { ReadOnly } from '#web/ui/ReadOnly.tsx';
import { useRemoveAndLeave } from '#web/ui/use-leave.ts';
import { send } from '#web/write.ts';
import { ScopeChoice } from './ScopeChoice.tsx';

type Props = { orgId: string; window: MaintenanceWindow; state: MaintenanceState };

/** Change, cancel, delete; each explains its effect first. */
export function WindowActions({ orgId, window, state }: Props) {
  const { t } = useTranslation();
  const removeAndLeave = useRemoveAndLeave();
  const mayManage = useMayManage();
  const [dialog, setDialog] = useState<'cancel' | 'delete' | null>(null);
  const [scope, setScope] = useState<MaintenanceScope>('this');
  const request = { params: { org_id: orgId, window_id: window.id }, query: { scope } };
  const which = window.series_id === null ? null : <ScopeChoice scope={scope} onChange={setScope} />;
  const close = () => setDialog(null);
  if (!mayManage) return <ReadOnly />;
  const isAhead = state === 'upcoming' || state === 'active';
  return (
    <>
      {state === 'cancelled' ? null : (
        <Button
          variant="default"
          leftSection={<IconPencil size={16} />}
          renderRoot={(props) => (
            <Link
              {...props}
              to="/o/$orgId/maintenance/$windowId/edit"
              params={{ orgId, windowId: window.id }}
            />
          )}
        >
          {t('ui.edit')}
        </Button>
      )}
      {isAhead ? (
        <Button
          variant="default"
          leftSection={<IconCalendarOff size={16} />}
          onClick={() => setDialog('cancel')}
        >
          {t(state === 'active' ? 'maintenance.endNow' : 'maintenance.cancel')}
        </Button>
      ) : null}
      <Button variant="danger" leftSection={<IconTrash size={16} />} onClick={() => setDialog('delete')}>
        {t('ui.delete')}
      </Button>
      <Confirm
        opened={dialog === 'cancel'}
        title={t(state === 'active' ? 'maintenance.endTitle' : 'maintenance.cancelTitle')}
        text={t(state === 'active' ? 'maintenance.cancelActive' : 'maintenance.cancelUpcoming')}
        confirm={t(state === 'active' ? 'maintenance.endNow' : 'maintenance.cancel')}
        onConfirm={() => send(cancelMaintenance, request)}
        onClose={close}
      >
        {which}
      </Confirm>
      <Confirm
        opened={dialog === 'delete'}
        title={t('maintenance.deleteTitle')}
        text={t('maintenance.deleteText')}
        confirm={t('ui.delete')}
        onConfirm={() =>
          removeAndLeave({ to: '/o/$orgId/maintenance', params: { orgId } }, (leave) =>
            send(deleteMaintenance, request, leave),
          )
        }
        onClose={close}
      >
        {which}
      </Confirm>
    </>
  );
}
