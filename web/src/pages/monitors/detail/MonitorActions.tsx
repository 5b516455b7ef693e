import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconActivity,
  IconCopy,
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { deleteMonitor, type Monitor } from '#src/monitors/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useDelete } from '#web/ui/use-delete.tsx';
import { send } from '#web/write.ts';
import { isRegionless } from '../monitor-types.ts';
import { TestNow } from '../test/TestNow.tsx';
import { CloneMonitor } from './CloneMonitor.tsx';
import { PauseFor } from './PauseFor.tsx';
import { useToggleMonitor } from './use-toggle-monitor.tsx';

/** Test, pause, edit, clone and delete, for people who manage the project. */
export function MonitorActions({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const navigate = useNavigate();
  const [testing, test] = useDisclosure(false);
  const [cloning, clone] = useDisclosure(false);
  const deleteSoon = useDelete();

  const turn = useToggleMonitor();
  function remove() {
    const params = { monitor_id: monitor.id };
    deleteSoon({ ids: [monitor.id], name: monitor.name, send: () => send(deleteMonitor, { params }) });
    void navigate({ to: '/o/$orgId/monitors', params: { orgId } });
  }

  return (
    <>
      {isRegionless(monitor.type) ? null : (
        <Button
          data-lead="test-now"
          variant="default"
          leftSection={<IconActivity size={16} />}
          onClick={test.open}
        >
          {t('tryout.button')}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={monitor.enabled ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
        // A double press is one: its second half would take back the first.
        onClick={(event) => (event.detail > 1 ? undefined : turn(monitor))}
      >
        {t(monitor.enabled ? 'monitor.pause' : 'monitor.resume')}
      </Button>
      <PauseFor monitor={monitor} />
      <Button
        variant="default"
        leftSection={<IconPencil size={16} />}
        renderRoot={(props) => (
          <Link
            to="/o/$orgId/monitors/$monitorId/edit"
            params={{ orgId, monitorId: monitor.id }}
            {...props}
          />
        )}
      >
        {t('ui.edit')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon data-lead="more" variant="default" size={36} aria-label={t('monitor.more')}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconCopy size={16} />} onClick={clone.open}>
            {t('monitor.clone')}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={remove}>
            {t('monitor.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {testing ? (
        <TestNow
          subject={{
            projectId: monitor.project_id,
            type: monitor.type,
            config: monitor.config as Record<string, unknown>,
            monitorId: monitor.id,
            regions: monitor.regions,
          }}
          onClose={test.close}
        />
      ) : null}
      {cloning ? <CloneMonitor monitor={monitor} onClose={clone.close} /> : null}
    </>
  );
}
