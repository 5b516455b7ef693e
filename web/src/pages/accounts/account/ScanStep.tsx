import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyField } from '#web/ui/CopyField.tsx';
import form from '#web/ui/Form.module.css';
import { FormActions } from '#web/ui/FormActions.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { CODE_DIGITS, CodeField } from '../CodeField.tsx';
import { QrCode } from './QrCode.tsx';
import styles from './ScanStep.module.css';

type Props = { uri: string; onVerify: (code: string) => Promise<unknown>; onCancel: () => void };

/** The secret as a QR code, a link for the same phone, and text; and the first code, which proves that the app has it. */
export function ScanStep({ uri, onVerify, onCancel }: Props) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const write = useWrite();
  const secret = URL.parse(uri)?.searchParams.get('secret') ?? '';

  const submit = (given: string) =>
    write.run(async () => {
      try {
        await onVerify(given);
      } catch (error) {
        setCode('');
        throw error;
      }
    });

  return (
    <form
      className={styles.scan}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (code.length === CODE_DIGITS) void submit(code);
      }}
    >
      <div className={styles.columns}>
        <QrCode text={uri} label={t('security.two-factor.qr')} />
        <div className={form.stack}>
          <p>{t('security.two-factor.scanText')}</p>
          <a className={styles.open} href={uri}>
            {t('security.two-factor.openApp')}
          </a>
          <CodeField
            label={t('security.two-factor.firstCode')}
            value={code}
            onChange={setCode}
            onComplete={(given) => void submit(given)}
            disabled={write.busy}
          />
          <Refused write={write} />
        </div>
      </div>
      <div className={styles.secret}>
        <p>{t('security.two-factor.secretText')}</p>
        <CopyField label={t('security.two-factor.secret')} value={secret} />
      </div>
      <FormActions
        submit={t('security.two-factor.turnOnNow')}
        busy={write.busy}
        disabled={code.length !== CODE_DIGITS || write.waitSeconds > 0}
        onCancel={onCancel}
      />
    </form>
  );
}
