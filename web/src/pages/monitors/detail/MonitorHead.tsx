import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconDots, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { listMonitorIncidents } from '../../../../../src/incidents/contract.ts';
import {
  deleteMonitor,
  getMonitor,
  listMonitors,
  type Monitor,
  updateMonitor,
} from '../../../../../src/monitors/contract.ts';
import { call } from '../../../call.ts';
import { useFormats } from '../../../format.ts';
import { everyRead, queryClient, read } from '../../../read.ts';
import { useOrgId } from '../../../shell/chosen-project.ts';
import { ConfirmByName } from '../../../ui/ConfirmByName.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { useRefusalSentence } from '../../../ui/refusal-sentence.ts';
import { displayState, StatusWord } from '../../../ui/StatusGlyph.tsx';
import { Lasted } from '../../../ui/Times.tsx';
import { httpConfigOf, targetOf } from '../config-summary.ts';
import styles from './MonitorHead.module.css';

/** Status with since when, what is watched, and what can be done. */
export function MonitorHead({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const sentence = useRefusalSentence();
  const orgId = useOrgId();
  const navigate = useNavigate();
  const [deleting, deletion] = useDisclosure(false);
  const params = { orgId, monitorId: monitor.id };

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

  const url = httpConfigOf(monitor)?.url;
  return (
    <>
      <PageHead
        title={monitor.name}
        above={
          <Link to="/o/$orgId/monitors" params={{ orgId }} className={styles.back}>
            {t('monitors.title')}
          </Link>
        }
        below={
          <div className={styles.facts}>
            <span className={styles.status} aria-live="polite">
              <StatusWord state={displayState(monitor)} size={14} />
              <Since monitor={monitor} />
            </span>
            {url === undefined ? (
              <span className="mono">{targetOf(monitor)}</span>
            ) : (
              <a className={`mono ${styles.url}`} href={url} target="_blank" rel="noreferrer">
                {targetOf(monitor)}
              </a>
            )}
            <span>
              {t('monitor.rhythm', {
                type: monitor.type.toUpperCase(),
                interval: formats.durationInWords(monitor.interval_seconds),
                regions: formats.list(monitor.regions),
              })}
            </span>
          </div>
        }
      >
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
          renderRoot={(props) => <Link to="/o/$orgId/monitors/$monitorId/edit" params={params} {...props} />}
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
      </PageHead>
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

/** Since when, as far as the incidents tell: the start of the open one, or the end of the last. */
function Since({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const incidents = useQuery(read(listMonitorIncidents, { params: { monitor_id: monitor.id } }));
  const latest = incidents.data?.[0];
  if (latest === undefined || !monitor.enabled) return null;
  const from =
    monitor.last_status === 'failed' && latest.status === 'open'
      ? latest.started_at_unix
      : monitor.last_status === 'passed'
        ? latest.resolved_at_unix
        : null;
  if (from === null) return null;
  return (
    <span className={styles.since} title={formats.full(from)}>
      {t('monitor.for')} <Lasted from={from} to={null} />
    </span>
  );
}
