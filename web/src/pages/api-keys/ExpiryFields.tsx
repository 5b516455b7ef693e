import { Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import stack from '#web/ui/Form.module.css';
import { useNow } from '#web/ui/use-now.ts';
import { EXPIRY_CHOICES, expiresAt } from './expiry.ts';
import type { KeyFormState } from './key-values.ts';

/** When the key expires, and that moment in words. */
export function ExpiryFields({ form }: { form: KeyFormState }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  const { expiry, date } = form.values;
  const end = expiresAt(expiry, date, now);
  const words =
    end === undefined
      ? ' '
      : end === null
        ? t('keys.expiryNever')
        : t('keys.expiryOn', { moment: formats.dateAndTime(end) });
  return (
    <div className={stack.row}>
      <Select
        aria-label={t('keys.expiry')}
        allowDeselect={false}
        description={words}
        data={EXPIRY_CHOICES.map((value) => ({ value, label: t(`keys.expiryChoice.${value}`) }))}
        {...form.getInputProps('expiry')}
      />
      {expiry === 'date' ? (
        <TextInput type="date" aria-label={t('keys.date')} {...form.getInputProps('date')} />
      ) : (
        <span />
      )}
    </div>
  );
}
