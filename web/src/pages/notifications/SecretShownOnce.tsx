import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyField } from '#web/ui/CopyField.tsx';
import styles from '#web/ui/Form.module.css';

/** Shows a signing secret once. */
export function SecretShownOnce({ secret, onDone }: { secret: string; onDone: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={styles.stack}>
      <p>{t('targets.secretText')}</p>
      <CopyField label={t('targets.secret')} value={secret} />
      <div className={styles.actions}>
        <Button onClick={onDone}>{t('targets.secretKept')}</Button>
      </div>
    </div>
  );
}
