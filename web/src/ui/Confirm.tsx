import { Alert, Button, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './Form.module.css';
import { useRefusalSentence } from './refusal-sentence.ts';

type Props = {
  opened: boolean;
  title: string;
  text: string;
  confirm: string;
  /** What there is to see or to choose before it is done. */
  children?: ReactNode;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks before something that others will feel; a refusal is said in the dialog, which then stays. */
export function Confirm({ opened, title, text, confirm, children, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const sentence = useRefusalSentence();
  const action = useMutation({ mutationFn: onConfirm, onSuccess: close });

  function close() {
    action.reset();
    onClose();
  }

  return (
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ 'aria-label': t('ui.close') }}>
      <div className={styles.stack}>
        <p>{text}</p>
        {children}
        {action.isError ? (
          <Alert color="red" role="alert">
            {sentence(action.error)}
          </Alert>
        ) : null}
        <div className={styles.actions}>
          <Button variant="default" onClick={close}>
            {t('ui.cancel')}
          </Button>
          <Button variant="danger" loading={action.isPending} onClick={() => action.mutate()}>
            {confirm}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
