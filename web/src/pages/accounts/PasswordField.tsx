import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

/** A password that can be shown; a wrong one is told to assistive technology too, which the library leaves out here. */
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
