import { NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Amount } from './amounts.ts';
import { useMonitorForm } from './form-context.ts';
import own from './Section.module.css';

const UNITS = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const;
type Unit = keyof typeof UNITS;

/** The largest unit that expresses the duration without a fraction. */
function unitOf(seconds: Amount): Unit {
  if (seconds === '' || seconds === 0) return 'minutes';
  const fits = (Object.keys(UNITS) as Unit[]).filter((unit) => seconds % UNITS[unit] === 0);
  return fits.at(-1) ?? 'seconds';
}

type Props = { label: string; hint?: string; placeholder?: string; path: string; value: Amount };

/** A duration in seconds, edited in a suitable unit. */
export function DurationInput({ label, hint, placeholder, path, value }: Props) {
  const { t } = useTranslation();
  const form = useMonitorForm();
  const [unit, setUnit] = useState<Unit>(() => unitOf(value));
  const { onBlur, error } = form.getInputProps(path);
  const shown = value === '' ? '' : value / UNITS[unit];
  const set = (amount: Amount, of: Unit) =>
    form.setFieldValue(path, amount === '' ? '' : Math.round(amount * UNITS[of]));
  return (
    <div className={own.duration}>
      <NumberInput
        label={label}
        description={hint}
        placeholder={placeholder}
        min={0}
        decimalScale={2}
        error={error}
        onBlur={onBlur}
        value={shown}
        onChange={(amount) => set(typeof amount === 'number' ? amount : '', unit)}
      />
      <Select
        // An empty label of the same height aligns both fields.
        label={'\u00a0'}
        aria-label={t('fields.unitOf', { label })}
        allowDeselect={false}
        data={(Object.keys(UNITS) as Unit[]).map((each) => ({
          value: each,
          label: t(`fields.units.${each}`),
        }))}
        value={unit}
        onChange={(chosen) => {
          const next = (chosen ?? 'seconds') as Unit;
          setUnit(next);
          set(shown, next);
        }}
      />
    </div>
  );
}
