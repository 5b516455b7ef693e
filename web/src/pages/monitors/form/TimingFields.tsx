import { NumberInput, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TObject } from 'typebox';
import { useFormats } from '#web/format.ts';
import styles from '#web/ui/Form.module.css';
import { useMonitorForm } from './form-context.ts';
import { usualTimeout } from './timing.ts';

/** Timeout, slowness and IP version, if the type has them; `schema` is the schema of its config. */
export function TimingFields({ schema }: { schema: TObject }) {
  const { config } = useMonitorForm().values;
  return (
    <div className={styles.row}>
      <TimeoutField schema={schema} />
      {'degraded_after_ms' in config ? <SlowAfterField /> : null}
      {'ip_family' in config ? <IpFamilySelect /> : null}
    </div>
  );
}

/** The timeout of a check; while empty, the field shows the server's default. */
export function TimeoutField({ schema }: { schema: TObject }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const form = useMonitorForm();
  const chosenMs = Math.min(usualTimeout(schema), Number(form.values.interval_seconds) * 800);
  return (
    <NumberInput
      label={t('form.timeout')}
      description={t('form.timeoutHint')}
      suffix=" ms"
      min={100}
      max={300_000}
      step={500}
      placeholder={formats.milliseconds(chosenMs)}
      {...form.getInputProps('config.timeout_ms')}
    />
  );
}

/** The latency from which a passing check is degraded. */
export function SlowAfterField() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  return (
    <NumberInput
      label={t('form.slowAfter')}
      description={t('form.slowAfterHint')}
      suffix=" ms"
      min={1}
      max={300_000}
      step={100}
      placeholder={t('form.never')}
      {...form.getInputProps('config.degraded_after_ms')}
    />
  );
}

/** IPv4, IPv6, or either. */
export function IpFamilySelect() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  return (
    <Select
      label={t('form.ipFamily')}
      allowDeselect={false}
      data={[
        { value: 'auto', label: t('form.ipAuto') },
        { value: '4', label: 'IPv4' },
        { value: '6', label: 'IPv6' },
      ]}
      {...form.getInputProps('config.ip_family')}
    />
  );
}
