import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Overview } from '#src/overview/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Panel } from '#web/ui/Panel.tsx';
import styles from './OverviewPage.module.css';

type Unnotified = NonNullable<Overview['unnotified']>;

/** Whether every outage notifies somebody. */
export const wouldBeNotified = ({ all, total }: Unnotified): boolean => !all && total === 0;

/** Monitors whose outages would notify nobody, and where to fix that. */
export function UnnotifiedCard({ unnotified }: { unnotified: Unnotified }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const { all, warnings, total, monitors } = unnotified;
  const reasons = [
    warnings.includes('mail_not_configured') ? t('overview.unnotifiedMail') : null,
    warnings.includes('no_push_subscription') ? t('overview.unnotifiedPush') : null,
    !all && warnings.includes('one_person') ? t('overview.unnotifiedOne') : null,
  ].filter((reason) => reason !== null);
  return (
    <Panel title={t('overview.unnotified')}>
      <p className={styles.nobody}>
        {all ? t('overview.unnotifiedAll') : t('overview.unnotifiedSome', { count: total })}
      </p>
      {reasons.length === 0 ? null : <p className={styles.detail}>{reasons.join(' ')}</p>}
      <ul className={styles.rows}>
        {monitors.slice(0, 6).map(({ id, name }) => (
          <li key={id} className={styles.row}>
            <Link to="/o/$orgId/monitors/$monitorId" params={{ orgId, monitorId: id }} data-row>
              {name}
            </Link>
          </li>
        ))}
      </ul>
      <p className={styles.more}>
        <Link to="/o/$orgId/on-call" params={{ orgId }}>
          {t('overview.unnotifiedMend')}
        </Link>
      </p>
    </Panel>
  );
}
