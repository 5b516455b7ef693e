import { Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from '#web/ui/Form.module.css';
import { FormActions } from '#web/ui/FormActions.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { ReturnFocus } from '#web/ui/ReturnFocus.tsx';
import { useWhileShown } from '#web/ui/use-while-shown.ts';
import { useWrite } from '#web/use-write.ts';
import { addPasskey, PasskeyError } from '../passkeys.ts';
import { deviceName } from './device.ts';

/** Asks for the new passkey's name; then the browser takes over. */
export function AddPasskey({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const close = useWhileShown(onClose);
  const write = useWrite({
    words: (error) =>
      error instanceof PasskeyError ? t(`security.passkeys.problem.${error.kind}`) : undefined,
  });
  const [name, setName] = useState(() => deviceName(navigator.userAgent));

  const add = () =>
    write.run(async () => {
      await addPasskey(name.trim());
      close();
    });

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('security.passkeys.add')}
      closeOnClickOutside={!write.busy}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <ReturnFocus />
      <form
        className={styles.stack}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (name.trim() !== '') void add();
        }}
      >
        <p>{t('security.passkeys.addText')}</p>
        <Refused write={write} />
        <TextInput
          data-autofocus
          label={t('security.passkeys.name')}
          description={t('security.passkeys.nameHint')}
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <FormActions
          submit={t('security.passkeys.create')}
          busy={write.busy}
          disabled={name.trim() === '' || write.waitSeconds > 0}
          onCancel={onClose}
        />
      </form>
    </Modal>
  );
}
