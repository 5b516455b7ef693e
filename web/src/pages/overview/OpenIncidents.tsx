import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isolated } from '#src/domain/direction.ts';
import type { Open } from '#src/overview/contract.ts';
import { useFormats } from '#web/format.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Panel } from '#web/ui/Panel.tsx';
import { Duration } from '#web/ui/Times.tsx';
import { useCauseWords } from '../incidents/use-cause-words.ts';
import styles from './OverviewPage.module.css';

/** The open incidents: unacknowledged ones first. */
export function OpenIncidents({ open }: { open: Open }) {
  const { t } = useTranslation();
  const words = useCauseWords();
  const formats = useFormats();
  const orgId = useOrgId();
  const more = open.total - open.incidents.length;
  return (
    <Panel title={t('overview.wrong')} flush>
      <ul className={styles.rows}>
        {open.incidents.map((incident) => (
          <li
            key={incident.id}
            className={styles.wrong}
            data-acknowledged={incident.acknowledged_at_unix !== null || incident.in_maintenance}
          >
            <Link to="/o/$orgId/incidents/$incidentId" params={{ orgId, incidentId: incident.id }} data-row>
              {incident.monitor_name ?? incident.cause}
            </Link>
            <span className={styles.detail}>
              {incident.monitor_name === null ? null : `${isolated(words(incident.cause))} · `}
              {t('overview.since', { moment: formats.minute(incident.started_at_unix) })} ·{' '}
              <Duration from={incident.started_at_unix} to={null} />
              {incident.in_maintenance ? ` · ${t('overview.planned')}` : null}
            </span>
            <span className={styles.end}>
              {incident.acknowledged_at_unix === null ? (
                <span className={styles.nobody}>{t('overview.nobodyHas')}</span>
              ) : (
                <span className={styles.acknowledger}>
                  {t('overview.has', {
                    who: incident.acknowledged_by_name || t('overview.summary.somebody'),
                  })}
                </span>
              )}
            </span>
          </li>
        ))}
        {more > 0 ? (
          <li className={styles.wrong} data-acknowledged>
            <Link to="/o/$orgId/incidents" params={{ orgId }}>
              {t('overview.more', { count: more })}
            </Link>
          </li>
        ) : null}
      </ul>
    </Panel>
  );
}
