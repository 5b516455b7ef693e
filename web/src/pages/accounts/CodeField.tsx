import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './CodeField.module.css';

type Props = {
  value: string;
  onChange: (code: string) => void;
  /** Called with the code as soon as it has six digits. */
  onComplete: (code: string) => void;
  label?: string;
  disabled?: boolean;
};

export const CODE_DIGITS = 6;

/** The six digits of an authenticator app. One field, so that pasting and password managers work; spaces are removed. */
export function CodeField({ value, onChange, onComplete, label, disabled = false }: Props) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={label ?? t('accounts.code')}
      classNames={{ input: styles.input }}
      value={value}
      onChange={(event) => {
        const digits = event.currentTarget.value.replace(/\D/g, '').slice(0, CODE_DIGITS);
        onChange(digits);
        if (digits.length === CODE_DIGITS && digits !== value) onComplete(digits);
      }}
      autoFocus
      data-autofocus
      autoComplete="one-time-code"
      inputMode="numeric"
      spellCheck={false}
      placeholder="000000"
      size="md"
      readOnly={disabled}
    />
  );
}
