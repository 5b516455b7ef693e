import { NumberInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PingConfig } from '#src/monitors/types/ping/config.ts';
import { useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import { HostField } from '#web/pages/monitors/form/HostField.tsx';
import { TimingFields } from '#web/pages/monitors/form/TimingFields.tsx';
import styles from '#web/ui/Form.module.css';
import type { TypeFields } from '../type-form.ts';

function Packets() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  return (
    <div className={styles.row}>
      <NumberInput
        label={t('fields.ping.count')}
        min={1}
        max={20}
        allowDecimal={false}
        {...form.getInputProps('config.count')}
      />
      <NumberInput
        label={t('fields.ping.degradedLoss')}
        description={t('fields.ping.degradedLossHint')}
        min={0}
        max={100}
        suffix=" %"
        {...form.getInputProps('config.degraded_loss_pct')}
      />
      <NumberInput
        label={t('fields.ping.maxLoss')}
        description={t('fields.ping.maxLossHint')}
        min={0}
        max={100}
        suffix=" %"
        {...form.getInputProps('config.max_loss_pct')}
      />
    </div>
  );
}

export const fields: TypeFields = {
  Open: () => <HostField />,
  sections: { packets: Packets, timing: () => <TimingFields schema={PingConfig} /> },
};
