import { IconArrowLeft, IconBuilding } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import navigation from '../../shell/Navigation.module.css';
import shell from '../../shell/Shell.module.css';
import { UserMenu } from '../../shell/UserMenu.tsx';
import { BellMark } from '../../ui/BellMark.tsx';
import styles from './OperatorFrame.module.css';

/** The frame of the operator's page: no organization's, but looking like theirs, with the way back. */
export function OperatorFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className={shell.shell}>
      <a className="skip-link" href="#content">
        {t('shell.skip')}
      </a>
      <div className={shell.side}>
        <Link to="/" className={shell.brand}>
          <BellMark />
          <span className={shell.name}>Tocsin</span>
        </Link>
        <Link to="/" className={styles.back}>
          <IconArrowLeft size={17} stroke={1.7} aria-hidden="true" />
          <span>{t('operator.back')}</span>
        </Link>
        <nav className={`${navigation.nav} ${styles.places}`} aria-label={t('operator.place')}>
          <p className={styles.caption}>{t('operator.place')}</p>
          <Link
            to="/operator"
            className={navigation.place}
            activeProps={{ 'data-active': true, 'aria-current': 'page' }}
          >
            <IconBuilding size={18} stroke={1.7} aria-hidden="true" />
            <span>{t('operator.title')}</span>
          </Link>
        </nav>
        <div className={shell.foot}>
          <UserMenu />
        </div>
      </div>
      <main className={shell.main} id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
