import { IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './Locked.module.css';

/** In place of what the reader may not change: who may. */
export function Locked() {
  const { t } = useTranslation();
  return (
    <p className={styles.reason}>
      <IconLock size={15} stroke={1.7} aria-hidden="true" />
      {t('settings.ownersAndAdmins')}
    </p>
  );
}
