import { NumberInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from '#web/ui/Form.module.css';
import { useMonitorForm } from './form-context.ts';

/** How many days before expiry a monitor is degraded, and when it is down. */
export function DaysFields() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  const days = { min: 0, max: 3650, allowDecimal: false, suffix: t('fields.daysSuffix') };
  return (
    <div className={styles.row}>
      <NumberInput
        label={t('fields.warnDays')}
        description={t('fields.warnDaysHint')}
        {...days}
        {...form.getInputProps('config.warn_days')}
      />
      <NumberInput
        label={t('fields.failDays')}
        description={t('fields.failDaysHint')}
        {...days}
        {...form.getInputProps('config.fail_days')}
      />
    </div>
  );
}
