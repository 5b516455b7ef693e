import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './Form.module.css';

type Props = {
  /** What the button that sends the form says. */
  submit: string;
  busy: boolean;
  disabled?: boolean;
  variant?: 'filled' | 'danger';
  onCancel: () => void;
};

/** The end of a form: a way out, and what sends it. */
export function FormActions({ submit, busy, disabled, variant, onCancel }: Props) {
  const { t } = useTranslation();
  return (
    <div className={styles.actions}>
      <Button variant="default" onClick={onCancel}>
        {t('ui.cancel')}
      </Button>
      <Button type="submit" variant={variant} disabled={disabled} loading={busy}>
        {submit}
      </Button>
    </div>
  );
}
