import { NumberInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import { valueWords } from '../monitors/form/alarm-words.ts';
import { useLevels } from './levels.ts';
import { usePolicyForm } from './policy-form.ts';

/** The ranges of domain/policy-validation. */
const KINDS = {
  alarm_consecutive: { min: 1, max: 100, suffix: '' },
  alarm_min_duration_seconds: { min: 0, max: 86_400, suffix: ' s' },
  recovery_consecutive: { min: 1, max: 100, suffix: '' },
  failed_interval_seconds: { min: 1, max: 86_400, suffix: ' s' },
} as const;

/** A number that may be inherited; while it is, the field shows the inherited value. */
export function AmountField({ field, label }: { field: keyof typeof KINDS; label: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const form = usePolicyForm();
  const { below, origin } = useLevels();
  const value = form.values[field];
  const { suffix } = KINDS[field];
  const from = origin(field, value !== '');
  return (
    <NumberInput
      label={label}
      placeholder={valueWords(t, formats, below, field)}
      description={
        suffix !== '' && value !== '' && value >= 60 ? `${formats.durationInWords(value)} · ${from}` : from
      }
      allowDecimal={false}
      {...KINDS[field]}
      {...form.getInputProps(field)}
    />
  );
}
