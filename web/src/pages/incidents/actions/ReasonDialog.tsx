import { Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import stack from '#web/ui/Form.module.css';
import { FormActions } from '#web/ui/FormActions.tsx';
import { FormModal } from '#web/ui/FormModal.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { useWrite } from '#web/use-write.ts';

type Props = {
  opened: boolean;
  title: string;
  text: string;
  confirm: string;
  variant: 'danger' | 'filled';
  onConfirm: (reason: string) => Promise<void>;
  onClose: () => void;
};

/** Confirms a change that recalculates figures, and asks for the reason. The dialog stays open if the server refuses. */
export function ReasonDialog({ opened, title, text, confirm, variant, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const write = useWrite();
  const [reason, setReason] = useState('');

  function close() {
    write.letGo();
    setReason('');
    onClose();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (await write.run(() => onConfirm(reason))) close();
  }

  return (
    <FormModal opened={opened} onClose={close} title={title}>
      {(cancel) => (
        <form className={stack.stack} onSubmit={(event) => void submit(event)}>
          <UnsavedGuard isDirty={reason !== '' && !write.busy} />
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
          <Refused write={write} />
          <FormActions submit={confirm} variant={variant} busy={write.busy} onCancel={cancel} />
        </form>
      )}
    </FormModal>
  );
}
