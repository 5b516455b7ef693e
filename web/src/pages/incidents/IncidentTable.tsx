import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isolated } from '#src/domain/direction.ts';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import { useFormats } from '#web/format.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import table from '#web/ui/Table.module.css';
import { Duration, Moment } from '#web/ui/Times.tsx';
import { IncidentStatus, wordOf } from './IncidentStatus.tsx';
import styles from './IncidentTable.module.css';
import { stateOf } from './list/search.ts';
import { useCauseWords } from './use-cause-words.ts';

/** The number of columns of the table. */
export const COLUMNS = 6;

/** A table of incidents; its rows are `IncidentRow`s. */
export function IncidentTable({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <table className={`${table.table} ${styles.table}`}>
      <thead>
        <tr>
          <th scope="col">{t('incidents.status')}</th>
          <th scope="col">{t('incidents.what')}</th>
          <th scope="col">{t('incidents.who')}</th>
          <th scope="col" className={styles.wide}>
            {t('incidents.regions')}
          </th>
          <th scope="col">{t('incidents.started')}</th>
          <th scope="col" className={table.figure}>
            {t('incidents.lasted')}
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

type RowProps = {
  incident: IncidentSummary;
  /** Shows the monitor's name; false if all incidents belong to one monitor. */
  showMonitor?: boolean;
  /** A member of the group in the row above. */
  isInStorm?: boolean;
};

/** One incident: its state, its title, and who acknowledged it. */
export function IncidentRow({ incident, showMonitor = true, isInStorm = false }: RowProps) {
  const { t } = useTranslation();
  const words = useCauseWords();
  const orgId = useOrgId();
  return (
    <tr className={styles.row} data-in-storm={isInStorm || undefined}>
      <td className={table.nowrap}>
        <IncidentStatus word={wordOf(incident)} />
      </td>
      <td className={styles.what}>
        <Link
          data-row
          className={styles.link}
          to="/o/$orgId/incidents/$incidentId"
          params={{ orgId, incidentId: incident.id }}
        >
          {showMonitor ? (incident.monitor_name ?? incident.cause) : words(incident.cause)}
        </Link>
        {showMonitor ? <Cause incident={incident} /> : null}
      </td>
      <td className={styles.who}>
        <StateCell incident={incident} />
      </td>
      <td className={`${table.nowrap} ${styles.wide}`} title={incident.down_regions.join(', ')}>
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
        <Duration from={incident.started_at_unix} to={incident.resolved_at_unix} />
      </td>
    </tr>
  );
}

/** Without a monitor the cause already is the title. */
function Cause({ incident }: { incident: IncidentSummary }) {
  const { t, i18n } = useTranslation();
  const words = useCauseWords();
  const severity = `incidents.severity.${incident.severity}`;
  const parts = [
    ...(incident.monitor_name === null
      ? [t('incidents.manual')]
      : [incident.project_name, words(incident.cause)]),
    // Nearly all incidents are critical, so only other severities are shown.
    incident.severity === 'critical' || !i18n.exists(severity)
      ? null
      : t(severity as 'incidents.severity.default'),
  ].filter((part) => part !== null);
  return <span className={styles.cause}>{parts.map(isolated).join(' · ')}</span>;
}

/** Who acknowledged it, or until when its alarm is held; "nobody" only while the incident is open. */
function StateCell({ incident }: { incident: IncidentSummary }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const state = stateOf(incident);
  const who = incident.acknowledged_by_name || incident.acknowledged_by_email;
  const until = incident.alarm_held_until_unix;
  if (who !== null) return <span>{who}</span>;
  if (state === 'held' && until !== null)
    return <span className={styles.held}>{t('incidents.heldUntil', { time: formats.moment(until) })}</span>;
  if (state === 'triggered') return <span className={styles.nobody}>{t('incidents.nobody')}</span>;
  return <span className={styles.quiet}>–</span>;
}
