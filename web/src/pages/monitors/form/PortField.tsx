import { NumberInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMonitorForm } from './form-context.ts';

/** A port; `usual` is the default for an empty field. */
export function PortField({ usual }: { usual?: number | undefined }) {
  const { t } = useTranslation();
  const form = useMonitorForm();
  return (
    <NumberInput
      label={t('fields.port')}
      placeholder={usual === undefined ? undefined : String(usual)}
      hideControls
      allowDecimal={false}
      allowNegative={false}
      {...form.getInputProps('config.port')}
    />
  );
}
