import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ReturnFocus } from '#web/ui/ReturnFocus.tsx';
import { useWhileShown } from '#web/ui/use-while-shown.ts';
import { post } from '#web/write.ts';
import { PasswordStep } from './PasswordStep.tsx';

type Props = { email: string; onClose: () => void };

/** Turns off two-factor sign-in. */
export function TurnOffTwoFactor({ email, onClose }: Props) {
  const { t } = useTranslation();
  const close = useWhileShown(onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('security.two-factor.turnOff')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <ReturnFocus />
      <PasswordStep
        email={email}
        text={t('security.two-factor.turnOffText')}
        confirm={t('security.two-factor.turnOff')}
        danger
        onConfirm={async (password) => {
          await post('/auth/two-factor/disable', { password });
          close();
        }}
        onCancel={onClose}
      />
    </Modal>
  );
}
