import { ActionIcon, Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots, IconPlayerPause, IconPlayerPlay, IconTag, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListedMonitor } from '#src/monitors/all/contract.ts';
import { inNote, useWrite } from '#web/use-write.ts';
import styles from './BulkBar.module.css';
import { BulkDialog, type Dialog } from './BulkDialog.tsx';
import { RefusedList } from './RefusedList.tsx';
import { type Change, type Outcome, useBulk } from './use-bulk.ts';

type Props = { chosen: readonly ListedMonitor[]; onClear: () => void };

/** What can be done with the monitors that are picked. */
export function BulkBar({ chosen, onClear }: Props) {
  const { t } = useTranslation();
  const write = useWrite({ show: inNote });
  const { progress, change } = useBulk();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [unchanged, setUnchanged] = useState<Outcome['refused']>([]);

  async function act(wanted: Change) {
    const { done, refused } = await change(chosen, wanted);
    setUnchanged(refused);
    if (done.length > 0) note(done, wanted);
    if (wanted.action === 'delete') onClear();
  }

  /** Says what was done; a pause can be taken back at once. */
  function note(done: readonly string[], { action }: Change) {
    const changed = chosen.filter(({ id, enabled }) => done.includes(id) && enabled === (action === 'pause'));
    const canUndo = (action === 'pause' || action === 'resume') && changed.length > 0;
    const undo = () => {
      notifications.hide('bulk');
      void write.run(() => change(changed, { action: action === 'pause' ? 'resume' : 'pause' }));
    };
    notifications.show({
      id: 'bulk',
      message: (
        <span className={styles.note}>
          {t(`allMonitors.done.${action}`, { count: done.length })}
          {canUndo ? (
            <Button size="compact-xs" variant="default" onClick={undo}>
              {t('allMonitors.undo')}
            </Button>
          ) : null}
        </span>
      ),
    });
  }

  const at = (wanted: Change) => () => void write.run(() => act(wanted));
  return (
    <section className={styles.bar} aria-label={t('allMonitors.bulk')}>
      <span className={styles.count} aria-live="polite">
        {progress === null
          ? t('allMonitors.picked', { count: chosen.length })
          : t('allMonitors.progress', { done: progress, count: chosen.length })}
      </span>
      <Button
        variant="default"
        loading={write.busy}
        leftSection={<IconPlayerPause size={16} />}
        onClick={at({ action: 'pause' })}
      >
        {t('monitor.pause')}
      </Button>
      <Button
        variant="default"
        disabled={write.busy}
        leftSection={<IconPlayerPlay size={16} />}
        onClick={at({ action: 'resume' })}
      >
        {t('monitor.resume')}
      </Button>
      <Button
        variant="default"
        disabled={write.busy}
        leftSection={<IconTag size={16} />}
        onClick={() => setDialog('tags')}
      >
        {t('allMonitors.tagThem')}
      </Button>
      <Menu position="top-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} disabled={write.busy} aria-label={t('monitor.more')}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('profile')}>{t('allMonitors.setProfile')}</Menu.Item>
          <Menu.Item onClick={() => setDialog('move')}>{t('allMonitors.moveThem')}</Menu.Item>
          <Menu.Item color="red" onClick={() => setDialog('delete')}>
            {t('ui.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ActionIcon
        className={styles.clear}
        variant="subtle"
        size={36}
        aria-label={t('allMonitors.clear')}
        onClick={onClear}
      >
        <IconX size={18} />
      </ActionIcon>
      <BulkDialog dialog={dialog} chosen={chosen} act={act} onClose={() => setDialog(null)} />
      <RefusedList refused={unchanged} onClose={() => setUnchanged([])} />
    </section>
  );
}
