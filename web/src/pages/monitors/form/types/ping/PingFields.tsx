import { NumberInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from '../../../../../ui/Form.module.css';
import type { KindFields } from '../../fields-of-kind.ts';
import { useMonitorForm } from '../../form-context.ts';
import { HostField } from '../../HostField.tsx';
import { TimingFields } from '../../TimingFields.tsx';

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

export const pingFields: KindFields = {
  Open: () => <HostField />,
  folds: { packets: Packets, timing: () => <TimingFields usualMs={5_000} /> },
};
