import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { IncidentDetail, IncidentSummary } from '../../../../src/incidents/contract.ts';
import { useFormats } from '../../format.ts';
import { useOrgId } from '../../shell/chosen-project.ts';
import table from '../../ui/Table.module.css';
import { Lasted, Moment } from '../../ui/Times.tsx';
import { IncidentStatus, wordOf } from './IncidentStatus.tsx';
import styles from './IncidentTable.module.css';

const NO_DETAILS: ReadonlyMap<string, IncidentDetail> = new Map();

/** Incidents, one line each, newest first as they come. */
export function IncidentTable({
  incidents,
  details = NO_DETAILS,
  showMonitor = true,
  isHeadHidden = false,
}: {
  incidents: IncidentSummary[];
  /** What is known beyond the list, by id: who has it, whose alarm is held. */
  details?: ReadonlyMap<string, IncidentDetail>;
  showMonitor?: boolean;
  /** For tables that go on with an earlier one. */
  isHeadHidden?: boolean;
}) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  return (
    <table className={`${table.table} ${styles.table}`}>
      <thead className={isHeadHidden ? styles.hidden : undefined}>
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
              <IncidentStatus
                word={wordOf(details.get(incident.id) ?? { status: incident.status, lifecycle_state: '' })}
              />
            </td>
            <td className={styles.what}>
              <Link
                className={styles.link}
                to="/o/$orgId/incidents/$incidentId"
                params={{ orgId, incidentId: incident.id }}
              >
                {showMonitor ? (incident.monitor_name ?? incident.cause) : incident.cause}
              </Link>
              {showMonitor ? <Cause incident={incident} /> : null}
              <Standing detail={details.get(incident.id)} />
            </td>
            <td className={styles.wide} title={incident.down_regions.join(', ')}>
              {incident.region_count === 0 || incident.down_regions.length === 0
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

/** Without a monitor the cause is the name of the line already. */
function Cause({ incident }: { incident: IncidentSummary }) {
  const { t, i18n } = useTranslation();
  const severity = `incidents.severity.${incident.severity}`;
  const parts = [
    ...(incident.monitor_name === null ? [t('incidents.manual')] : [incident.project_name, incident.cause]),
    // Nearly all are critical: what is not is said.
    incident.severity === 'critical' || !i18n.exists(severity)
      ? null
      : t(severity as 'incidents.severity.default'),
  ].filter((part) => part !== null);
  return <span className={styles.cause}>{parts.join(' · ')}</span>;
}

/** Who has it, or until when its alarm is held. */
function Standing({ detail }: { detail: IncidentDetail | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (detail === undefined || detail.status !== 'open') return null;
  const { acknowledged_by_email: who, alarm_held_until_unix: until } = detail;
  const said =
    who !== null
      ? t('incidents.takenBy', { who })
      : until !== null
        ? t('incidents.heldUntil', { time: formats.moment(until) })
        : null;
  return said === null ? null : <span className={styles.standing}>{said}</span>;
}
