import { Checkbox, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TlsConfig } from '#src/monitors/types/tls/config.ts';
import { DaysFields } from '#web/pages/monitors/form/DaysFields.tsx';
import { useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import { HostAndPort, HostField } from '#web/pages/monitors/form/HostField.tsx';
import { TimingFields } from '#web/pages/monitors/form/TimingFields.tsx';
import styles from '#web/ui/Form.module.css';
import type { TypeFields } from '../type-form.ts';

/** The default port for TLS of each protocol. */
const PORTS = { none: 443, smtp: 587, imap: 143, pop3: 110, postgres: 5432 } as const;

function Open() {
  return (
    <>
      <HostAndPort placeholder="www.example.com" usual={443} />
      <DaysFields />
    </>
  );
}

function Handshake() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  const { port, starttls } = form.values.config;
  return (
    <>
      <div className={styles.row}>
        <Select
          label="STARTTLS"
          description={t('fields.tls.starttlsHint')}
          allowDeselect={false}
          data={(Object.keys(PORTS) as (keyof typeof PORTS)[]).map((value) => ({
            value,
            label: value === 'none' ? t('fields.tls.direct') : value.toUpperCase(),
          }))}
          {...form.getInputProps('config.starttls')}
          onChange={(value) => {
            // A port that nobody changed follows the protocol.
            if (port === PORTS[starttls as keyof typeof PORTS])
              form.setFieldValue('config.port', PORTS[(value ?? 'none') as keyof typeof PORTS]);
            form.setFieldValue('config.starttls', value ?? 'none');
          }}
        />
        <HostField
          at="server_name"
          label={t('form.tls.serverName')}
          placeholder={String(form.values.config.host)}
          hint={t('fields.tls.serverNameHint')}
        />
      </div>
      <Checkbox
        label={t('fields.tls.verifyChain')}
        description={t('fields.tls.verifyChainHint')}
        {...form.getInputProps('config.verify_chain', { type: 'checkbox' })}
      />
      <Checkbox
        label={t('fields.tls.verifyHostname')}
        {...form.getInputProps('config.verify_hostname', { type: 'checkbox' })}
      />
    </>
  );
}

export const fields: TypeFields = {
  Open,
  sections: { handshake: Handshake, timing: () => <TimingFields schema={TlsConfig} /> },
};
