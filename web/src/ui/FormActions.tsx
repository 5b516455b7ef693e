import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './Form.module.css';

type Props = {
  /** The label of the submit button. */
  submit: string;
  busy: boolean;
  disabled?: boolean;
  variant?: 'filled' | 'danger';
  onCancel: () => void;
};

/** The buttons at the end of a form: cancel and submit. */
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
