import { useTranslation } from 'react-i18next';
import type { Monitor } from '#src/monitors/contract.ts';
import type { GroupConfig } from '#src/monitors/types/group/config.ts';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { useOrganizationMonitors } from '../form/use-organization-monitors.ts';
import styles from './GroupPanel.module.css';
import { MonitorLink } from './MonitorLink.tsx';

/** The members of a group with their states, and the condition for the group to fail. */
export function GroupPanel({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const { members, rule, value } = monitor.config as GroupConfig;
  const { projects, isPending } = useOrganizationMonitors();
  const known = new Map(projects.flatMap(({ monitors }) => monitors.map((each) => [each.id, each])));
  return (
    <Panel
      title={t('groupPanel.title')}
      aside={<span className={styles.rule}>{t(`groupPanel.rules.${rule}`, { count: value ?? 0 })}</span>}
      flush={!isPending}
    >
      {isPending ? <LoadingRows count={members.length} height={34} /> : null}
      {isPending ? null : (
        <ul className={styles.list} aria-label={t('groupPanel.title')}>
          {members.map((id) => {
            const member = known.get(id);
            return (
              <li key={id} className={styles.member}>
                {member === undefined ? (
                  <span className={styles.gone}>{t('groupPanel.gone')}</span>
                ) : (
                  <MonitorLink monitor={member} />
                )}
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
