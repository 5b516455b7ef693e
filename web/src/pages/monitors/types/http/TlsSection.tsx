import { Checkbox, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import own from '#web/pages/monitors/form/Section.module.css';
import styles from '#web/ui/Form.module.css';

/** Certificates: the server's and, if it asks for one, the client's. */
export function TlsSection() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  return (
    <>
      <Checkbox
        label={t('form.tls.verify')}
        description={t('form.tls.verifyHint')}
        {...form.getInputProps('config.tls.verify', { type: 'checkbox' })}
      />
      <div className={styles.row}>
        <NumberInput
          label={t('form.tls.minDays')}
          description={t('form.tls.minDaysHint')}
          min={0}
          max={3650}
          placeholder={t('form.never')}
          {...form.getInputProps('config.tls.min_days_left')}
        />
        <TextInput
          label={t('form.tls.serverName')}
          description={t('form.tls.serverNameHint')}
          spellCheck={false}
          {...form.getInputProps('config.tls.server_name')}
        />
      </div>
      {(['ca_pem', 'client_cert_pem', 'client_key_pem'] as const).map((field) => (
        <Textarea
          key={field}
          label={t(`form.tls.${field}`)}
          placeholder="-----BEGIN …-----"
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          classNames={{ input: own.mono }}
          {...form.getInputProps(`config.tls.${field}`)}
        />
      ))}
    </>
  );
}
