import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MonitorChoice } from '#web/pages/maintenance/MonitorChoice.tsx';
import form from '#web/ui/Form.module.css';
import styles from './MonitorsPart.module.css';
import type { ShownMonitor } from './monitor-list.ts';

/** Per page (docs/rules/limits.md#counts). */
const MAX_LISTED = 200;

type Props = {
  opened: boolean;
  shown: readonly ShownMonitor[];
  onAdd: (ids: string[]) => void;
  onClose: () => void;
};

/** Adds monitors of any project that the page does not show yet. */
export function AddMonitors({ opened, shown, onAdd, onClose }: Props) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string[]>([]);
  const isTooMany = shown.length + chosen.length > MAX_LISTED;

  function close() {
    setChosen([]);
    onClose();
  }

  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('statusPages.monitors.add')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <div className={form.stack}>
        <MonitorChoice
          chosen={chosen}
          onChoose={setChosen}
          except={shown.map(({ id }) => id)}
          hint={t('statusPages.monitors.addHint')}
        />
        {isTooMany ? (
          <p className={styles.tooMany} role="alert">
            {t('statusPages.monitors.tooMany', { most: MAX_LISTED })}
          </p>
        ) : null}
        <div className={form.actions}>
          <Button variant="default" onClick={close}>
            {t('ui.cancel')}
          </Button>
          <Button
            disabled={chosen.length === 0 || isTooMany}
            onClick={() => {
              onAdd(chosen);
              close();
            }}
          >
            {t('statusPages.monitors.addCount', { count: chosen.length })}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
