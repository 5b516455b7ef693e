import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ReturnFocus } from '#web/ui/ReturnFocus.tsx';
import { useHeldOpen } from '#web/ui/use-held-open.ts';
import { post } from '#web/write.ts';
import { PasswordStep } from './PasswordStep.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

/** Asks for the password and generates new recovery codes; the old ones become invalid at once. */
export function NewRecoveryCodes({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation();
  const [codes, setCodes] = useState<string[] | null>(null);

  const { close, hold } = useHeldOpen(onClose);

  async function make(password: string) {
    type Made = { backupCodes: string[] };
    const { backupCodes } = await post<Made>('/auth/two-factor/generate-backup-codes', { password });
    setCodes(backupCodes);
  }

  return (
    <Modal
      opened
      onClose={close}
      title={t('security.two-factor.newCodes')}
      size="lg"
      closeOnClickOutside={codes === null}
      closeOnEscape={codes === null}
      withCloseButton={codes === null}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <ReturnFocus />
      {codes === null ? (
        <PasswordStep
          email={email}
          text={t('security.recovery.renewText')}
          confirm={t('security.recovery.renew')}
          onConfirm={(password) => hold(() => make(password))}
          onCancel={close}
        />
      ) : (
        <RecoveryCodes email={email} codes={codes} onDone={onClose} />
      )}
    </Modal>
  );
}
