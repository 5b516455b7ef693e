import { Button, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from '#web/ui/Form.module.css';
import type { Outcome } from './use-bulk.ts';

/** The monitors that were not changed, each with the reason. */
export function RefusedList({ refused, onClose }: { refused: Outcome['refused']; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={refused.length > 0}
      onClose={onClose}
      title={t('allMonitors.refused', { count: refused.length })}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <div className={styles.stack}>
        <dl>
          {refused.map(({ name, message }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list never changes
            <div key={at}>
              <dt>
                <strong>{name}</strong>
              </dt>
              <dd>{message}</dd>
            </div>
          ))}
        </dl>
        <div className={styles.actions}>
          <Button onClick={onClose}>{t('ui.close')}</Button>
        </div>
      </div>
    </Modal>
  );
}
