import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { IncidentSummary } from '../../../../src/incidents/contract.ts';
import { useOrgId } from '../../shell/chosen-project.ts';
import table from '../../ui/Table.module.css';
import { Lasted, Moment } from '../../ui/Times.tsx';
import { IncidentStatus } from './IncidentStatus.tsx';
import styles from './IncidentTable.module.css';

/** Incidents, one line each, newest first as they come. */
export function IncidentTable({
  incidents,
  showMonitor = true,
}: {
  incidents: IncidentSummary[];
  showMonitor?: boolean;
}) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  return (
    <table className={`${table.table} ${styles.table}`}>
      <thead>
        <tr>
          <th scope="col">{t('incidents.status')}</th>
          <th scope="col">{t('incidents.what')}</th>
          <th scope="col" className={styles.wide}>
            {t('incidents.regions')}
          </th>
          <th scope="col">{t('incidents.started')}</th>
          <th scope="col" className={table.figure}>
            {t('incidents.lasted')}
          </th>
        </tr>
      </thead>
      <tbody>
        {incidents.map((incident) => (
          <tr key={incident.id} className={styles.row}>
            <td>
              <IncidentStatus open={incident.status === 'open'} />
            </td>
            <td className={styles.what}>
              <Link
                className={styles.link}
                to="/o/$orgId/incidents/$incidentId"
                params={{ orgId, incidentId: incident.id }}
              >
                {showMonitor ? (incident.monitor_name ?? incident.cause) : incident.cause}
              </Link>
              {showMonitor ? (
                <span className={styles.cause}>
                  {incident.project_name === null ? '' : `${incident.project_name} · `}
                  {incident.cause}
                </span>
              ) : null}
            </td>
            <td className={styles.wide} title={incident.down_regions.join(', ')}>
              {incident.region_count === 0
                ? '–'
                : t('incidents.regionsDown', {
                    down: incident.down_regions.length,
                    total: incident.region_count,
                  })}
            </td>
            <td className={`${table.nowrap} ${styles.started}`}>
              <Moment unix={incident.started_at_unix} />
            </td>
            <td className={`${table.figure} ${styles.lasted}`}>
              <Lasted from={incident.started_at_unix} to={incident.resolved_at_unix} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
