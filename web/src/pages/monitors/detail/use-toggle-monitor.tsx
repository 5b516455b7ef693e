// Pauses and resumes a monitor: shown optimistically, rolled back if the server refuses, with an undo for a while.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { getMonitor, type Monitor, updateMonitor } from '#src/monitors/contract.ts';
import { queryClient, read } from '#web/read.ts';
import note from '#web/ui/use-delete.module.css';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { showOptimistically } from '../show-optimistically.ts';

type ToggledMonitor = Pick<Monitor, 'id' | 'name' | 'enabled'>;

/** Returns a function that resumes a paused monitor and pauses any other. */
export function useToggleMonitor(): (monitor: ToggledMonitor) => void {
  const { t } = useTranslation();
  const write = useWrite({ show: inNote });
  const last = useRef<Promise<unknown>>(Promise.resolve());

  async function turn({ id, name, enabled }: ToggledMonitor): Promise<void> {
    const params = { monitor_id: id };
    const { queryKey } = read(getMonitor, { params });
    const takeBack = await showOptimistically([id], () => ({ enabled: !enabled }));
    try {
      await send(updateMonitor, { params, body: { enabled: !enabled } }, (saved) =>
        queryClient.setQueryData(queryKey, saved),
      );
    } catch (refused) {
      takeBack();
      throw refused;
    }
    const undo = () => {
      notifications.hide(`turn-${id}`);
      press({ id, name, enabled: !enabled });
    };
    // One that is still there would stay, with an undo of the change before.
    notifications.hide(`turn-${id}`);
    notifications.show({
      id: `turn-${id}`,
      withCloseButton: false,
      message: (
        <span className={note.note}>
          <span className={note.words}>{t(enabled ? 'monitor.paused' : 'monitor.resumed', { name })}</span>
          <Button size="compact-sm" variant="default" onClick={undo}>
            {t('ui.deletion.undo')}
          </Button>
        </span>
      ),
    });
  }

  /** One after the other: who presses again while the first is under way wants what they see then. */
  function press(monitor: ToggledMonitor): void {
    last.current = last.current.then(() => write.run(() => turn(monitor)));
  }

  return press;
}
