import { Alert, Button, Modal, Textarea } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import stack from '#web/ui/Form.module.css';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';

type Props = {
  opened: boolean;
  title: string;
  text: string;
  confirm: string;
  variant: 'danger' | 'filled';
  onConfirm: (reason: string) => Promise<void>;
  onClose: () => void;
};

/** Asks before figures are restated, and for the reason; a refusal is said in the dialog, which then stays. */
export function ReasonDialog({ opened, title, text, confirm, variant, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const sentence = useRefusalSentence();
  const [reason, setReason] = useState('');
  const [running, setRunning] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  const busy = useRef(false);

  function close() {
    setRefused(null);
    setReason('');
    onClose();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy.current) return;
    busy.current = true;
    setRunning(true);
    setRefused(null);
    try {
      await onConfirm(reason);
      close();
    } catch (error) {
      setRefused(error);
    } finally {
      busy.current = false;
      setRunning(false);
    }
  }

  return (
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ 'aria-label': t('ui.close') }}>
      <form className={stack.stack} onSubmit={(event) => void submit(event)}>
        <p>{text}</p>
        <Textarea
          data-autofocus
          label={t('discard.reason')}
          description={t('discard.reasonHint')}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={1000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {refused === null ? null : (
          <Alert color="red" role="alert">
            {sentence(refused)}
          </Alert>
        )}
        <div className={stack.actions}>
          <Button variant="default" onClick={close}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" variant={variant} loading={running}>
            {confirm}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
