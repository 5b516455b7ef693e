import { IconLock } from '@tabler/icons-react';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrgId } from './chosen-project.ts';
import { mayAdminister, useMyRole } from './my-role.ts';
import styles from './SettingsFrame.module.css';

const TABS = [
  { to: '/o/$orgId/settings/general', text: 'settings.tabs.general' },
  { to: '/o/$orgId/settings/members', text: 'settings.tabs.members' },
  { to: '/o/$orgId/settings/api-keys', text: 'settings.tabs.apiKeys', administered: true },
  { to: '/o/$orgId/settings/alarm-policy', text: 'settings.tabs.alarmPolicy' },
  { to: '/o/$orgId/settings/plan', text: 'settings.tabs.plan' },
  { to: '/o/$orgId/settings/activity', text: 'settings.tabs.activity', administered: true },
  { to: '/o/$orgId/settings/transfer', text: 'settings.tabs.transfer', administered: true },
] as const;

/** The settings of an organization: tabs, and the current section below. */
export function SettingsFrame() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const role = useMyRole();
  const { pathname } = useLocation();
  const tabs = useRef<HTMLElement>(null);
  // On a phone the tabs are wider than the screen: scroll to the current one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address decides which tab is the current one
  useEffect(() => {
    const bar = tabs.current;
    if (bar === null) return;
    // Not scrollIntoView: after a resize it would also scroll the page.
    const watcher = new ResizeObserver(() => {
      const current = bar.querySelector<HTMLElement>('[aria-current]');
      if (current === null) return;
      const { left, right } = bar.getBoundingClientRect();
      const own = current.getBoundingClientRect();
      if (own.right > right) bar.scrollLeft += own.right - right;
      if (own.left < left) bar.scrollLeft += own.left - left;
    });
    watcher.observe(bar);
    return () => watcher.disconnect();
  }, [pathname]);

  return (
    <>
      <nav className={styles.tabs} aria-label={t('settings.title')} ref={tabs}>
        {TABS.map(({ to, text, ...rest }) => (
          <Link
            key={to}
            to={to}
            params={{ orgId }}
            className={styles.tab}
            activeProps={{ 'data-active': true, 'aria-current': 'page' }}
            activeOptions={{ exact: false, includeSearch: false }}
          >
            {t(text)}
            {'administered' in rest && role !== undefined && !mayAdminister(role) ? (
              <>
                <IconLock size={13} stroke={1.8} aria-hidden="true" />
                <span className="visually-hidden"> {t('settings.locked')}</span>
              </>
            ) : null}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  );
}
