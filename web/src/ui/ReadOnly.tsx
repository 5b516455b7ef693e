import { IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './ReadOnly.module.css';

/** In place of the actions that the reader's role does not allow: why they are missing. */
export function ReadOnly() {
  const { t } = useTranslation();
  return (
    <p className={styles.reason}>
      <IconLock size={15} stroke={1.7} aria-hidden="true" />
      {t('ui.readOnly')}
    </p>
  );
}
