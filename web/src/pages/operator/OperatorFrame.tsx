import { IconBuilding } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import navigation from '../../shell/Navigation.module.css';
import { OwnFrame } from '../../shell/OwnFrame.tsx';
import styles from './OperatorFrame.module.css';

/** The frame of the operator's page. */
export function OperatorFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const places = (
    <>
      <p className={styles.caption}>{t('operator.place')}</p>
      <Link
        to="/operator"
        className={navigation.place}
        activeProps={{ 'data-active': true, 'aria-current': 'page' }}
      >
        <IconBuilding size={18} stroke={1.7} aria-hidden="true" />
        <span>{t('operator.title')}</span>
      </Link>
    </>
  );
  return (
    <OwnFrame back={t('operator.back')} placesLabel={t('operator.place')} places={places}>
      {children}
    </OwnFrame>
  );
}
