import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { fetchJson } from '#web/call.ts';
import { PasswordStep } from './PasswordStep.tsx';

type Props = { email: string; onOff: () => Promise<void>; onClose: () => void };

/** Back to the password alone. */
export function TurnOffTwoFactor({ email, onOff, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('security.two-factor.turnOff')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <PasswordStep
        email={email}
        text={t('security.two-factor.turnOffText')}
        confirm={t('security.two-factor.turnOff')}
        danger
        onConfirm={async (password) => {
          await fetchJson('POST', '/auth/two-factor/disable', { password });
          await onOff();
          onClose();
        }}
        onCancel={onClose}
      />
    </Modal>
  );
}
