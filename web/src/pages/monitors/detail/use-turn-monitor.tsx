// Pausing a monitor, and resuming it: shown at once, taken back where the server refuses, and by a button for a while.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { listAllMonitors } from '#src/monitors/all/contract.ts';
import { getMonitor, listMonitors, type Monitor, updateMonitor } from '#src/monitors/contract.ts';
import { patch } from '#web/cached.ts';
import { everyRead, queryClient, read } from '#web/read.ts';
import note from '#web/ui/use-delete.module.css';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';

type Turned = Pick<Monitor, 'id' | 'name' | 'enabled'>;

function show(id: string, enabled: boolean): void {
  patch<Monitor>(read(getMonitor, { params: { monitor_id: id } }).queryKey, (shown) => ({
    ...shown,
    enabled,
  }));
  for (const list of [listMonitors, listAllMonitors])
    patch<Turned[]>(everyRead(list), (rows) =>
      rows.some((row) => row.id === id)
        ? rows.map((row) => (row.id === id ? { ...row, enabled } : row))
        : rows,
    );
}

/** Returns what turns a monitor on, or off where it is on. */
export function useTurnMonitor(): (monitor: Turned) => void {
  const { t } = useTranslation();
  const write = useWrite({ show: inNote });

  async function turn({ id, name, enabled }: Turned): Promise<void> {
    const params = { monitor_id: id };
    const { queryKey } = read(getMonitor, { params });
    await queryClient.cancelQueries({ queryKey });
    show(id, !enabled);
    try {
      await send(updateMonitor, { params, body: { enabled: !enabled } }, (saved) =>
        queryClient.setQueryData(queryKey, saved),
      );
    } catch (refused) {
      show(id, enabled);
      throw refused;
    }
    const undo = () => {
      notifications.hide(`turn-${id}`);
      void write.run(() => turn({ id, name, enabled: !enabled }));
    };
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

  return (monitor) => void write.run(() => turn(monitor));
}
