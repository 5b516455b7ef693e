import { Button, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getMe } from '#src/accounts/contract.ts';
import { everyRead, queryClient } from '#web/read.ts';
import styles from '#web/ui/Form.module.css';
import { addPasskey, PasskeyError, passkeysQuery } from '../passkeys.ts';
import { Refused } from '../Refused.tsx';
import { useSubmission } from '../use-submission.ts';
import { deviceName } from './device.ts';

/** Names the new passkey, then the browser takes over. */
export function AddPasskey({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const submission = useSubmission();
  const [name, setName] = useState(() => deviceName(navigator.userAgent));

  const add = () =>
    submission.run(async () => {
      await addPasskey(name.trim());
      await queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: everyRead(getMe) });
      onClose();
    });

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('security.passkeys.add')}
      closeOnClickOutside={!submission.busy}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <form
        className={styles.stack}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (name.trim() !== '') void add();
        }}
      >
        <p>{t('security.passkeys.addText')}</p>
        <Refused
          submission={submission}
          words={(error) =>
            error instanceof PasskeyError ? t(`security.passkeys.problem.${error.kind}`) : undefined
          }
        />
        <TextInput
          data-autofocus
          label={t('security.passkeys.name')}
          description={t('security.passkeys.nameHint')}
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div className={styles.actions}>
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button
            type="submit"
            loading={submission.busy}
            disabled={name.trim() === '' || submission.waitSeconds > 0}
          >
            {t('security.passkeys.create')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
