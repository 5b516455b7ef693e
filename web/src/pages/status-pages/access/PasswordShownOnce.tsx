import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyField } from '#web/ui/CopyField.tsx';
import styles from '#web/ui/Form.module.css';

/** Shows a generated password once. */
export function PasswordShownOnce({
  text,
  password,
  onDone,
}: {
  text: string;
  password: string;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  return (
    <div className={styles.stack}>
      <p>{text}</p>
      <CopyField label={t('statusPages.password.label')} value={password} />
      <div className={styles.actions}>
        <Button onClick={onDone}>{t('statusPages.password.kept')}</Button>
      </div>
    </div>
  );
}
