import { Button, TextInput } from '@mantine/core';
import { IconStethoscope } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { examineInstallation, type Report } from '#src/operator/doctor-contract.ts';
import { ApiError } from '#web/call.ts';
import { PageHead } from '#web/ui/PageHead.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { OperatorsOnly } from '../OperatorsOnly.tsx';
import styles from './DoctorPage.module.css';
import { Findings } from './Findings.tsx';

export default function DoctorPage() {
  const { t } = useTranslation();
  return (
    <OperatorsOnly title={t('doctor.title')}>
      <Doctor />
    </OperatorsOnly>
  );
}

/** Runs only on request: it connects to every notification target. */
function Doctor() {
  const { t } = useTranslation();
  const [mailTo, setMailTo] = useState('');
  const examining = useWrite<Report>({
    words: (error) =>
      error instanceof ApiError && error.field === 'mail_to' ? t('doctor.noAddress') : undefined,
  });
  const { reply } = examining;

  function examine(event: FormEvent) {
    event.preventDefault();
    const mail_to = mailTo.trim() === '' ? null : mailTo.trim();
    void examining.run(() => send(examineInstallation, { body: { mail_to } }));
  }

  return (
    <>
      <PageHead title={t('doctor.title')} below={t('doctor.lead')} />
      <form className={styles.ask} onSubmit={examine} noValidate>
        <TextInput
          className={styles.address}
          type="email"
          label={t('doctor.mailTo')}
          placeholder={t('doctor.mailToHint')}
          value={mailTo}
          error={examining.at('mail_to')}
          onChange={(event) => setMailTo(event.currentTarget.value)}
        />
        <Button type="submit" loading={examining.busy} leftSection={<IconStethoscope size={16} />}>
          {t(reply === undefined ? 'doctor.examine' : 'doctor.again')}
        </Button>
      </form>
      <Refused write={examining} fields={['mail_to']} mb={16} />
      <div aria-live="polite">{reply === undefined ? null : <Findings report={reply} />}</div>
      <p className={styles.beside}>{t('doctor.commandLine')}</p>
    </>
  );
}
