import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import {
  IconActivity,
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import {
  deleteMonitor,
  getMonitor,
  listMonitors,
  type Monitor,
  updateMonitor,
} from '#src/monitors/contract.ts';
import { call } from '#web/call.ts';
import { everyRead, queryClient, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { ConfirmByName } from '#web/ui/ConfirmByName.tsx';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';
import { isRegionless } from '../monitor-types.ts';
import { TestNow } from '../test/TestNow.tsx';

/** Test, pause, edit, delete: for those who manage the project. */
export function MonitorActions({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const sentence = useRefusalSentence();
  const orgId = useOrgId();
  const navigate = useNavigate();
  const [deleting, deletion] = useDisclosure(false);
  const [testing, test] = useDisclosure(false);

  const toggle = useMutation({
    mutationFn: () =>
      call(updateMonitor, { params: { monitor_id: monitor.id }, body: { enabled: !monitor.enabled } }),
    onSuccess: async (saved) => {
      queryClient.setQueryData(read(getMonitor, { params: { monitor_id: monitor.id } }).queryKey, saved);
      await queryClient.invalidateQueries({ queryKey: everyRead(listMonitors) });
    },
    onError: (error) => notifications.show({ color: 'red', message: sentence(error) }),
  });

  async function remove() {
    await call(deleteMonitor, { params: { monitor_id: monitor.id } });
    await queryClient.invalidateQueries({ queryKey: everyRead(listMonitors) });
    await navigate({ to: '/o/$orgId/monitors', params: { orgId } });
  }

  return (
    <>
      {isRegionless(monitor.type) ? null : (
        <Button variant="default" leftSection={<IconActivity size={16} />} onClick={test.open}>
          {t('tryout.button')}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={monitor.enabled ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
        loading={toggle.isPending}
        onClick={() => toggle.mutate()}
      >
        {t(monitor.enabled ? 'monitor.pause' : 'monitor.resume')}
      </Button>
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
          <ActionIcon variant="default" size={36} aria-label={t('monitor.more')}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={deletion.open}>
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
      <ConfirmByName
        opened={deleting}
        title={t('monitor.delete')}
        text={t('monitor.deleteText')}
        name={monitor.name}
        confirm={t('ui.delete')}
        onConfirm={remove}
        onClose={deletion.close}
      />
    </>
  );
}
