import { IconActivity, IconAlertSquare, IconSend, IconSettings } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrgId } from './chosen-project.ts';
import { useMayManage } from './my-role.ts';
import styles from './Navigation.module.css';

const PLACES = [
  { to: '/o/$orgId/monitors', text: 'shell.nav.monitors', icon: IconActivity },
  { to: '/o/$orgId/incidents', text: 'shell.nav.incidents', icon: IconAlertSquare },
  { to: '/o/$orgId/notifications', text: 'shell.nav.notifications', icon: IconSend, managed: true },
  { to: '/o/$orgId/settings', text: 'settings.title', icon: IconSettings },
] as const;

/** The four places; beside the content on wide screens, under the thumb on narrow ones. */
export function Navigation({ openIncidents }: { openIncidents: number }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const mayManage = useMayManage();
  return (
    <nav className={styles.nav} aria-label={t('shell.nav.label')}>
      {PLACES.filter((place) => mayManage || !('managed' in place)).map(({ to, text, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          params={{ orgId }}
          className={styles.place}
          activeProps={{ 'data-active': true, 'aria-current': 'page' }}
          activeOptions={{ exact: false, includeSearch: false }}
        >
          <Icon size={18} stroke={1.7} aria-hidden="true" />
          <span>{t(text)}</span>
          {to === '/o/$orgId/incidents' && openIncidents > 0 ? (
            <span className={styles.count}>
              {openIncidents}
              <span className="visually-hidden"> {t('shell.openIncidents', { count: openIncidents })}</span>
            </span>
          ) : null}
        </Link>
      ))}
    </nav>
  );
}
