import { Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '../use-write.ts';
import styles from './Form.module.css';
import { FormActions } from './FormActions.tsx';

type Props = {
  opened: boolean;
  title: string;
  text: string;
  /** The text that must be typed to confirm. */
  name: string;
  confirm: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks for the name before a permanent deletion, so that a stray click deletes nothing. */
export function ConfirmByName({ opened, title, text, name, confirm, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const write = useWrite();
  const [typed, setTyped] = useState('');

  function close() {
    write.letGo();
    setTyped('');
    onClose();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (await write.run(() => onConfirm())) close();
  }

  return (
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ 'aria-label': t('ui.close') }}>
      <form className={styles.stack} onSubmit={(event) => void submit(event)}>
        <p>{text}</p>
        <TextInput
          data-autofocus
          label={t('ui.typeName', { name })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={write.refusal}
          autoComplete="off"
          spellCheck={false}
        />
        <FormActions
          submit={confirm}
          variant="danger"
          disabled={typed.trim() !== name}
          busy={write.busy}
          onCancel={close}
        />
      </form>
    </Modal>
  );
}
