import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

/**
 * A password field with a toggle to show it. It also announces errors to assistive technology, which the library does not.
 */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation();
  const id = useId();
  const wrong = Boolean(props.error);
  return (
    <PasswordInput
      id={id}
      label={t('accounts.password')}
      autoComplete="current-password"
      visibilityToggleButtonProps={{ 'aria-label': t('accounts.showPassword') }}
      aria-invalid={wrong || undefined}
      aria-describedby={wrong ? `${id}-error` : undefined}
      {...props}
    />
  );
}
