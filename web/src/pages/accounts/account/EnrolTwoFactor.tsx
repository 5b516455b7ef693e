import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ReturnFocus } from '#web/ui/ReturnFocus.tsx';
import { useHeldOpen } from '#web/ui/use-held-open.ts';
import { post } from '#web/write.ts';
import { PasswordStep } from './PasswordStep.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { ScanStep } from './ScanStep.tsx';
import { Steps } from './Steps.tsx';

type Props = { email: string; onClose: () => void };
type Offer = { totpURI: string; backupCodes: string[] };

/** Turns on two-factor sign-in: password, code, recovery codes. It stays off until a code was correct. */
export function EnrolTwoFactor({ email, onClose }: Props) {
  const { t } = useTranslation();
  const [offer, setOffer] = useState<Offer | null>(null);
  const [verified, setVerified] = useState(false);
  const { close, hold } = useHeldOpen(onClose);
  const step = offer === null ? 1 : verified ? 3 : 2;

  return (
    <Modal
      opened
      onClose={close}
      title={t('security.two-factor.turnOn')}
      size="lg"
      // From here on a stray click must not close the dialog: the recovery codes are shown only once.
      closeOnClickOutside={step === 1}
      closeOnEscape={step !== 3}
      withCloseButton={step !== 3}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <ReturnFocus />
      <Steps
        at={step}
        names={[
          t('security.two-factor.steps.password'),
          t('security.two-factor.steps.scan'),
          t('security.two-factor.steps.codes'),
        ]}
      />
      {step === 1 ? (
        <PasswordStep
          email={email}
          text={t('security.two-factor.passwordText')}
          confirm={t('accounts.continue')}
          onConfirm={async (password) => setOffer(await post<Offer>('/auth/two-factor/enable', { password }))}
          onCancel={close}
        />
      ) : null}
      {step === 2 && offer !== null ? (
        <ScanStep
          uri={offer.totpURI}
          onVerify={(code) =>
            hold(() => post('/auth/two-factor/verify-totp', { code }, () => setVerified(true)))
          }
          onCancel={close}
        />
      ) : null}
      {step === 3 && offer !== null ? (
        <RecoveryCodes email={email} codes={offer.backupCodes} onDone={onClose} />
      ) : null}
    </Modal>
  );
}
