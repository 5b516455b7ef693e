import { Button, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './Form.module.css';
import { useRefusalSentence } from './refusal-sentence.ts';

type Props = {
  opened: boolean;
  title: string;
  text: string;
  /** What must be typed to go on. */
  name: string;
  confirm: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks for the name before something is gone for good, so that a stray click never deletes. */
export function ConfirmByName({ opened, title, text, name, confirm, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const sentence = useRefusalSentence();
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      setTyped('');
      onClose();
    } catch (refused) {
      setError(sentence(refused));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <form className={styles.stack} onSubmit={(event) => void submit(event)}>
        <p>{text}</p>
        <TextInput
          data-autofocus
          label={t('ui.typeName', { name })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={error}
          autoComplete="off"
          spellCheck={false}
        />
        <div className={styles.actions}>
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" variant="danger" disabled={typed.trim() !== name} loading={busy}>
            {confirm}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
