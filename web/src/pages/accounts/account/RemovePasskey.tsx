import { Button, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { ReturnFocus } from '#web/ui/ReturnFocus.tsx';
import { useWhileShown } from '#web/ui/use-while-shown.ts';
import { useWrite } from '#web/use-write.ts';
import { type Passkey, removePasskey } from '../passkeys.ts';

/** Asks before a passkey is removed. */
export function RemovePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation();
  const close = useWhileShown(onClose);
  const write = useWrite();
  const name = passkey.name ?? t('security.passkeys.unnamed');
  const remove = () =>
    write.run(async () => {
      await removePasskey(passkey.id);
      close();
    });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('security.passkeys.removeTitle')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <ReturnFocus />
      <div className={styles.stack}>
        <p>{t('security.passkeys.removeText', { name })}</p>
        <Refused write={write} />
        <div className={styles.actions}>
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('ui.cancel')}
          </Button>
          <Button variant="danger" loading={write.busy} onClick={() => void remove()}>
            {t('security.passkeys.removeButton')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
