import { IconBuilding, IconStethoscope, IconWorld } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { GlobalFrame } from '#web/shell/GlobalFrame.tsx';
import navigation from '#web/shell/Navigation.module.css';
import tabs from '#web/shell/SettingsFrame.module.css';
import styles from './OperatorFrame.module.css';

const PLACES = [
  { to: '/operator', text: 'operator.title', icon: IconBuilding, exact: true },
  { to: '/operator/regions', text: 'operatorRegions.title', icon: IconWorld, exact: false },
  { to: '/operator/doctor', text: 'doctor.title', icon: IconStethoscope, exact: true },
] as const;

const ACTIVE = { 'data-active': true, 'aria-current': 'page' } as const;

/** The layout of the operator's pages; on a phone the navigation is a line of tabs. */
export function OperatorFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const places = (
    <>
      <p className={styles.caption}>{t('operator.place')}</p>
      {PLACES.map(({ to, text, icon: Icon, exact }) => (
        <Link
          key={to}
          to={to}
          className={navigation.place}
          activeProps={ACTIVE}
          activeOptions={{ exact, includeSearch: false }}
        >
          <Icon size={18} stroke={1.7} aria-hidden="true" />
          <span>{t(text)}</span>
        </Link>
      ))}
    </>
  );
  return (
    <GlobalFrame back={t('operator.back')} placesLabel={t('operator.place')} places={places}>
      <nav className={`${tabs.tabs} ${styles.tabs}`} aria-label={t('operator.place')}>
        {PLACES.map(({ to, text, exact }) => (
          <Link
            key={to}
            to={to}
            className={tabs.tab}
            activeProps={ACTIVE}
            activeOptions={{ exact, includeSearch: false }}
          >
            {t(text)}
          </Link>
        ))}
      </nav>
      {children}
    </GlobalFrame>
  );
}
