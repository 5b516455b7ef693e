import { Menu, UnstyledButton } from '@mantine/core';
import {
  IconActivity,
  IconAlertSquare,
  IconBroadcast,
  IconCalendarEvent,
  IconDots,
  IconLayoutDashboard,
  IconPhoneCall,
  IconReportAnalytics,
  IconSend,
  IconServer,
  IconSettings,
} from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrgId } from './chosen-project.ts';
import { useMayManage } from './my-role.ts';
import styles from './Navigation.module.css';

type Place = (typeof PLACES)[number];

/** `seldom`: behind "More" in the bottom navigation of a phone, which has no room for all. */
const PLACES = [
  { to: '/o/$orgId/overview', text: 'overview.title', icon: IconLayoutDashboard },
  { to: '/o/$orgId/monitors', text: 'shell.nav.monitors', icon: IconActivity },
  { to: '/o/$orgId/hosts', text: 'hosts.title', icon: IconServer, seldom: true },
  { to: '/o/$orgId/incidents', text: 'shell.nav.incidents', icon: IconAlertSquare },
  { to: '/o/$orgId/maintenance', text: 'maintenance.title', icon: IconCalendarEvent, seldom: true },
  { to: '/o/$orgId/on-call', text: 'shell.nav.onCall', icon: IconPhoneCall },
  { to: '/o/$orgId/status-pages', text: 'statusPages.title', icon: IconBroadcast, seldom: true },
  { to: '/o/$orgId/reports', text: 'reports.title', icon: IconReportAnalytics, seldom: true },
  {
    to: '/o/$orgId/notifications',
    text: 'shell.nav.notifications',
    icon: IconSend,
    managed: true,
    seldom: true,
  },
  { to: '/o/$orgId/settings', text: 'settings.title', icon: IconSettings, seldom: true },
] as const;

type Props = {
  openIncidents: number;
  /** Unacknowledged incidents. If there are any, the badge counts only these, in red. */
  unacknowledged: number;
};

/** The navigation: at the side on wide screens, at the bottom on narrow ones. */
export function Navigation({ openIncidents, unacknowledged }: Props) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const mayManage = useMayManage();
  const count = unacknowledged > 0 ? unacknowledged : openIncidents;
  const places = PLACES.filter((place) => mayManage || !('managed' in place));
  return (
    <nav className={styles.nav} aria-label={t('shell.nav.label')}>
      {places.map((place) => {
        const { to, text, icon: Icon } = place;
        return (
          <Link
            key={to}
            to={to}
            params={{ orgId }}
            className={styles.place}
            data-seldom={'seldom' in place || undefined}
            activeProps={{ 'data-active': true, 'aria-current': 'page' }}
            activeOptions={{ exact: false, includeSearch: false }}
          >
            <Icon size={18} stroke={1.7} aria-hidden="true" />
            <span className={styles.word}>{t(text)}</span>
            {to === '/o/$orgId/incidents' && openIncidents > 0 ? (
              <span className={styles.count} data-acknowledged={unacknowledged === 0 || undefined}>
                {count > 99 ? '99+' : count}
                <span className="visually-hidden">
                  {' '}
                  {t(unacknowledged > 0 ? 'shell.unacknowledged' : 'shell.acknowledged', { count })}
                </span>
              </span>
            ) : null}
          </Link>
        );
      })}
      <More places={places.filter((place) => 'seldom' in place)} />
    </nav>
  );
}

/** Narrow screens only: leads to the pages without a tab. */
function More({ places }: { places: Place[] }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const { pathname } = useLocation();
  const isOpen = ({ to }: Place) => pathname.startsWith(to.replace('$orgId', orgId));
  return (
    <Menu width={220} position="top-end" shadow="md">
      <Menu.Target>
        <UnstyledButton
          className={`${styles.place} ${styles.more}`}
          data-active={places.some(isOpen) || undefined}
        >
          <IconDots size={18} stroke={1.7} aria-hidden="true" />
          <span className={styles.word}>{t('shell.nav.more')}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {places.map((place) => {
          const { to, text, icon: Icon } = place;
          return (
            <Menu.Item
              key={to}
              leftSection={<Icon size={18} stroke={1.7} />}
              aria-current={isOpen(place) ? 'page' : undefined}
              renderRoot={(props) => <Link {...props} to={to} params={{ orgId }} />}
            >
              {t(text)}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
