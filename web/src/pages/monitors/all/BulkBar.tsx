import { ActionIcon, Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots, IconPlayerPause, IconPlayerPlay, IconTag, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListedMonitor } from '#src/monitors/all/contract.ts';
import { useBottomBarHeight } from '#web/ui/bottom-bar-height.ts';
import { useDelete } from '#web/ui/use-delete.tsx';
import { inNote, useWrite } from '#web/use-write.ts';
import styles from './BulkBar.module.css';
import { BulkDialog, type Dialog } from './BulkDialog.tsx';
import { RefusedList } from './RefusedList.tsx';
import type { Change } from './shown-as.ts';
import { undoOf } from './undo-of.ts';
import { type Outcome, useBulk } from './use-bulk.ts';

type Props = { chosen: readonly ListedMonitor[]; onClear: () => void };

/** Bulk actions on the selected monitors. */
export function BulkBar({ chosen, onClear }: Props) {
  const { t } = useTranslation();
  const write = useWrite({ show: inNote });
  const bar = useRef<HTMLElement>(null);
  useBottomBarHeight(bar);
  const { progress, change } = useBulk();
  const deleteSoon = useDelete();
  const isBusy = write.busy || progress !== null;
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [unchanged, setUnchanged] = useState<Outcome['refused']>([]);

  async function act(wanted: Change) {
    if (wanted.action === 'delete') return remove(wanted);
    const { done, refused, failure } = await change(chosen, wanted);
    setUnchanged(refused);
    // What was done before a failure can be undone, too.
    if (done.length > 0) note(done, wanted);
    if (failure !== null) throw failure.why;
  }

  /** They are deleted once the time to undo has passed. */
  function remove(wanted: Change) {
    const send = async () => {
      const { done, refused, failure } = await change(chosen, wanted);
      for (const { name, message } of refused)
        notifications.show({ color: 'red', title: name, message, autoClose: false });
      if (failure === null) return;
      if (done.length > 0)
        notifications.show({
          message: t('allMonitors.done.delete', { count: done.length }),
          autoClose: false,
        });
      throw failure.why;
    };
    const name = t('allMonitors.many', { count: chosen.length });
    deleteSoon({ ids: chosen.map(({ id }) => id), name, isCount: true, send });
    onClear();
  }

  /** Reports the outcome, with an undo where that is cheap. */
  function note(done: readonly string[], wanted: Change) {
    const steps = undoOf(
      chosen.filter(({ id }) => done.includes(id)),
      wanted,
    );
    const undo = () => {
      notifications.hide('bulk');
      void write.run(async () => {
        for (const step of steps) {
          const { failure } = await change(step.monitors, step.change);
          if (failure !== null) throw failure.why;
        }
      });
    };
    // One that is still there would stay, with an undo of the change before.
    notifications.hide('bulk');
    notifications.show({
      id: 'bulk',
      message: (
        <span className={styles.note}>
          {t(`allMonitors.done.${wanted.action}`, { count: done.length })}
          {steps.length > 0 ? (
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
    <section ref={bar} className={styles.bar} aria-label={t('allMonitors.bulk')}>
      <span className={styles.count} aria-live="polite">
        {progress === null
          ? t('allMonitors.picked', { count: chosen.length })
          : t('allMonitors.progress', { done: progress, count: chosen.length })}
      </span>
      <Button
        variant="default"
        loading={isBusy}
        leftSection={<IconPlayerPause size={16} />}
        onClick={at({ action: 'pause' })}
      >
        {t('monitor.pause')}
      </Button>
      <Button
        variant="default"
        disabled={isBusy}
        leftSection={<IconPlayerPlay size={16} />}
        onClick={at({ action: 'resume' })}
      >
        {t('monitor.resume')}
      </Button>
      <Button
        variant="default"
        disabled={isBusy}
        leftSection={<IconTag size={16} />}
        onClick={() => setDialog('tags')}
      >
        {t('allMonitors.tagThem')}
      </Button>
      <Menu position="top-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} disabled={isBusy} aria-label={t('monitor.more')}>
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
