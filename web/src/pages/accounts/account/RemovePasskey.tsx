import { Button, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { getMe } from '#src/accounts/contract.ts';
import { everyRead, queryClient } from '#web/read.ts';
import styles from '#web/ui/Form.module.css';
import { type Passkey, passkeysQuery, removePasskey } from '../passkeys.ts';
import { Refused } from '../Refused.tsx';
import { useSubmission } from '../use-submission.ts';

/** Asks before a passkey is taken from the account. */
export function RemovePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation();
  const submission = useSubmission();
  const name = passkey.name ?? t('security.passkeys.unnamed');
  const remove = () =>
    submission.run(async () => {
      await removePasskey(passkey.id);
      await queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: everyRead(getMe) });
      onClose();
    });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('security.passkeys.removeTitle')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <div className={styles.stack}>
        <p>{t('security.passkeys.removeText', { name })}</p>
        <Refused submission={submission} />
        <div className={styles.actions}>
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('ui.cancel')}
          </Button>
          <Button variant="danger" loading={submission.busy} onClick={() => void remove()}>
            {t('security.passkeys.removeButton')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
