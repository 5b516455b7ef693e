import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '../use-write.ts';
import styles from './Form.module.css';
import { Refused } from './Refused.tsx';

type Props = {
  opened: boolean;
  title: string;
  text: string;
  confirm: string;
  /** Details to read or choose before confirming. */
  children?: ReactNode;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks before an action that affects others. The dialog stays open if the server refuses. */
export function Confirm({ opened, title, text, confirm, children, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const write = useWrite();

  function close() {
    write.letGo();
    onClose();
  }

  async function confirmed() {
    if (await write.run(() => onConfirm())) close();
  }

  return (
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ 'aria-label': t('ui.close') }}>
      <div className={styles.stack}>
        <p>{text}</p>
        {children}
        <Refused write={write} />
        <div className={styles.actions}>
          <Button variant="default" onClick={close}>
            {t('ui.cancel')}
          </Button>
          <Button variant="danger" loading={write.busy} onClick={() => void confirmed()}>
            {confirm}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
