import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '#web/write.ts';
import { PasswordStep } from './PasswordStep.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

/** Asks for the password and generates new recovery codes; the old ones become invalid at once. */
export function NewRecoveryCodes({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation();
  const [codes, setCodes] = useState<string[] | null>(null);

  async function make(password: string) {
    type Made = { backupCodes: string[] };
    const { backupCodes } = await post<Made>('/auth/two-factor/generate-backup-codes', { password });
    setCodes(backupCodes);
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('security.two-factor.newCodes')}
      size="lg"
      closeOnClickOutside={codes === null}
      closeOnEscape={codes === null}
      withCloseButton={codes === null}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      {codes === null ? (
        <PasswordStep
          email={email}
          text={t('security.recovery.renewText')}
          confirm={t('security.recovery.renew')}
          onConfirm={make}
          onCancel={onClose}
        />
      ) : (
        <RecoveryCodes email={email} codes={codes} onDone={onClose} />
      )}
    </Modal>
  );
}
