import type { PasswordInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './NewPassword.module.css';
import { PasswordField } from './PasswordField.tsx';
import { passwordStrength } from './password-strength.ts';

const WORDS = ['empty', 'weak', 'fair', 'good', 'strong'] as const;

/** A field for a new password, with an estimate of its strength. */
export function NewPassword(props: PasswordInputProps) {
  const { t } = useTranslation();
  const strength = passwordStrength(String(props.value ?? ''));
  return (
    <div>
      <PasswordField autoComplete="new-password" {...props} />
      <div className={styles.meter} data-strength={strength} aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
      </div>
      <p className={styles.word} aria-live="polite">
        {t(`accounts.strength.${WORDS[strength]}`)}
      </p>
    </div>
  );
}
