import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isolated } from '#src/domain/direction.ts';
import type { ReportedIncident } from '#src/reports/contract.ts';
import { useFormats } from '#web/format.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Panel } from '#web/ui/Panel.tsx';
import table from '#web/ui/Table.module.css';
import { useCauseWords } from '../incidents/use-cause-words.ts';
import styles from './ReportedIncidents.module.css';

type Props = { incidents: readonly ReportedIncident[]; count: number; zone: string };

/** The incidents of a report, oldest first, each with a link. */
export function ReportedIncidents({ incidents, count, zone }: Props) {
  const { t } = useTranslation();
  return (
    <Panel title={t('reports.incidents')} flush={incidents.length > 0}>
      {incidents.length === 0 ? (
        <p className={table.quiet}>{t('reports.noIncidents')}</p>
      ) : (
        <table className={`${table.table} ${styles.table}`}>
          <thead>
            <tr>
              <th scope="col">{t('reports.started')}</th>
              <th scope="col">{t('reports.monitor')}</th>
              <th scope="col" className={table.figure}>
                {t('reports.lasted')}
              </th>
              <th scope="col" className={table.figure}>
                {t('reports.acknowledged')}
              </th>
            </tr>
          </thead>
          <tbody>
            {incidents.map((incident) => (
              <Row key={incident.id} incident={incident} zone={zone} />
            ))}
          </tbody>
        </table>
      )}
      {count > incidents.length ? (
        <p className={styles.more}>{t('reports.moreIncidents', { shown: incidents.length, total: count })}</p>
      ) : null}
    </Panel>
  );
}

function Row({ incident, zone }: { incident: ReportedIncident; zone: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useCauseWords();
  const orgId = useOrgId();
  const { id, monitor_name: name, cause, discarded, origin, postmortem } = incident;
  const lasted = incident.duration_seconds;
  const acknowledged = incident.acknowledged_after_seconds;
  const aside = [
    ...(name === null ? [] : [origin === 'automatic' ? words(cause) : cause]),
    ...(discarded ? [t('reports.falseAlarm')] : []),
    ...(origin === 'manual' ? [t('reports.manual')] : []),
  ];
  return (
    <tr data-discarded={discarded || undefined}>
      <td className={`${table.nowrap} ${styles.started}`}>
        {formats.inZone(incident.started_at_unix, zone)}
      </td>
      <td className={styles.what}>
        <Link className={styles.link} to="/o/$orgId/incidents/$incidentId" params={{ orgId, incidentId: id }}>
          {name ?? cause}
        </Link>
        {aside.length === 0 ? null : <span className={styles.aside}>{aside.map(isolated).join(' · ')}</span>}
        {postmortem === null ? null : (
          <Link
            className={styles.postmortem}
            to="/o/$orgId/incidents/$incidentId/postmortem"
            params={{ orgId, incidentId: id }}
          >
            {t(postmortem.status === 'published' ? 'reports.postmortem' : 'reports.postmortemDraft')}
          </Link>
        )}
      </td>
      <td className={table.figure}>{lasted === null ? t('reports.stillOpen') : formats.duration(lasted)}</td>
      <td className={`${table.figure} ${styles.acknowledged}`} data-word={t('reports.acknowledged')}>
        {acknowledged === null ? (
          <span className={table.quiet}>{t('reports.never')}</span>
        ) : (
          formats.duration(acknowledged)
        )}
      </td>
    </tr>
  );
}
