import { Select, TagsInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DnsConfig, RCODES, RECORD_TYPES } from '#src/monitors/types/dns/config.ts';
import { Choice } from '#web/pages/monitors/form/Choice.tsx';
import { useConfigValues, useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import { HostField } from '#web/pages/monitors/form/HostField.tsx';
import { PortField } from '#web/pages/monitors/form/PortField.tsx';
import own from '#web/pages/monitors/form/Section.module.css';
import { TimingFields } from '#web/pages/monitors/form/TimingFields.tsx';
import styles from '#web/ui/Form.module.css';
import type { TypeFields } from '../type-form.ts';
import type { DnsValues } from './form.ts';

const EXAMPLES: Partial<Record<DnsValues['record_type'], string>> = {
  A: '192.0.2.10',
  AAAA: '2001:db8::10',
  MX: '10 mail.example.com',
  TXT: 'v=spf1 -all',
  SRV: '10 5 5060 sip.example.com',
  CAA: '0 issue "letsencrypt.org"',
};

function Open() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  return (
    <div className={`${styles.row} ${own.hostAndPort}`}>
      <HostField label={t('fields.dns.name')} placeholder="www.example.com" />
      <Select
        label={t('fields.dns.recordType')}
        data={[...RECORD_TYPES]}
        allowDeselect={false}
        {...form.getInputProps('config.record_type')}
      />
    </div>
  );
}

function Answer() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  const { expected, expected_rcode, record_type } = useConfigValues<DnsValues>();
  return (
    <>
      <div className={styles.row}>
        <Select
          label={t('fields.dns.rcode')}
          description={t('fields.dns.rcodeHint')}
          data={[...RCODES]}
          allowDeselect={false}
          {...form.getInputProps('config.expected_rcode')}
        />
        {expected_rcode === 'NOERROR' ? (
          <Select
            label={t('fields.dns.mode')}
            allowDeselect={false}
            data={(['off', 'any', 'all', 'exact'] as const).map((mode) => ({
              value: mode,
              label: t(`fields.dns.modes.${mode}`),
            }))}
            {...form.getInputProps('config.expected.mode')}
          />
        ) : null}
      </div>
      {expected_rcode === 'NOERROR' && expected.mode !== 'off' ? (
        <TagsInput
          label={t('fields.dns.values')}
          description={t('fields.dns.valuesHint')}
          placeholder={expected.values.length === 0 ? (EXAMPLES[record_type] ?? 'target.example.com') : ''}
          acceptValueOnBlur
          splitChars={['\n']}
          {...form.getInputProps('config.expected.values')}
        />
      ) : null}
    </>
  );
}

function Server() {
  const { t } = useTranslation();
  return (
    <>
      <div className={`${styles.row} ${own.hostAndPort}`}>
        <HostField
          at="resolver"
          label={t('fields.dns.resolver')}
          placeholder="9.9.9.9"
          hint={t('fields.dns.resolverHint')}
        />
        <PortField usual={53} />
      </div>
      <Choice
        label={t('fields.dns.transport')}
        path="config.transport"
        data={[
          { value: 'udp', label: 'UDP' },
          { value: 'tcp', label: 'TCP' },
        ]}
      />
    </>
  );
}

export const fields: TypeFields = {
  Open,
  sections: { answer: Answer, server: Server, timing: () => <TimingFields schema={DnsConfig} /> },
};
