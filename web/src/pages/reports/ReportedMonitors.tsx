import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Report, ReportedMonitor } from '#src/reports/contract.ts';
import { useFormats } from '#web/format.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Panel } from '#web/ui/Panel.tsx';
import table from '#web/ui/Table.module.css';
import styles from './ReportedMonitors.module.css';

type Figures = Report['totals'];

/** The table of a report: a row per monitor, and the totals. */
export function ReportedMonitors({ report }: { report: Report }) {
  const { t } = useTranslation();
  const { monitors, monitor_count: count, totals, subject } = report;
  const columns = [
    ['uptime', t('reports.uptimeHint')],
    ['coverage', t('reports.coverageHint')],
    ['downtime', t('reports.downtimeHint')],
    ['incidentCount', undefined],
    ['longest', t('reports.longestHint')],
    ['maintenance', t('reports.maintenanceHint')],
    ['unknown', t('reports.unknownHint')],
    ['discarded', t('reports.discardedHint')],
  ] as const;
  return (
    <Panel title={t('reports.monitors')} flush>
      <table className={`${table.table} ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">{t('reports.monitor')}</th>
            {columns.map(([name, hint]) => (
              <th key={name} scope="col" className={table.figure} title={hint}>
                {t(`reports.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {monitors.map((monitor) => (
            <tr key={monitor.monitor_id}>
              <th scope="row" className={styles.name}>
                <Name
                  monitor={monitor}
                  showProject={subject.kind === 'organization' || subject.kind === 'tag'}
                />
              </th>
              <Cells figures={monitor} coverage={monitor.coverage_pct} />
            </tr>
          ))}
        </tbody>
        {monitors.length < 2 ? null : (
          <tfoot>
            <tr>
              <th scope="row" className={styles.name}>
                {t('reports.together')}
              </th>
              <Cells figures={totals} coverage={undefined} />
            </tr>
          </tfoot>
        )}
      </table>
      {count > monitors.length ? (
        <p className={styles.more}>{t('reports.moreMonitors', { shown: monitors.length, total: count })}</p>
      ) : null}
      {monitors.some((each) => each.coverage_pct !== null && each.unknown_seconds > 0) ? (
        <p className={styles.more}>{t('reports.sinceCreated')}</p>
      ) : null}
    </Panel>
  );
}

function Name({ monitor, showProject }: { monitor: ReportedMonitor; showProject: boolean }) {
  const orgId = useOrgId();
  return (
    <>
      <Link
        className={styles.link}
        to="/o/$orgId/monitors/$monitorId"
        params={{ orgId, monitorId: monitor.monitor_id }}
      >
        {monitor.name}
      </Link>
      {showProject ? <span className={styles.project}>{monitor.project_name}</span> : null}
    </>
  );
}

/** `coverage` undefined: totals have none. */
function Cells({ figures, coverage }: { figures: Figures; coverage: number | null | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const lasting = (seconds: number) => (seconds === 0 ? '–' : formats.duration(seconds));
  const { uptime_time_pct: uptime, incidents } = figures;
  const cells: [word: string, value: string][] = [
    [
      t('reports.coverage'),
      coverage === undefined ? '' : coverage === null ? '–' : formats.percent(coverage),
    ],
    [t('reports.downtime'), lasting(figures.downtime_seconds)],
    [t('reports.incidentCount'), incidents === 0 ? '–' : formats.integer(incidents)],
    [t('reports.longest'), lasting(figures.longest_downtime_seconds)],
    [t('reports.maintenance'), lasting(figures.maintenance_seconds)],
    [t('reports.unknown'), lasting(figures.unknown_seconds)],
    [t('reports.discarded'), lasting(figures.discarded_seconds)],
  ];
  return (
    <>
      <td className={`${table.figure} ${styles.uptime}`} data-word={t('reports.uptime')}>
        {uptime === null ? (
          <span className={table.quiet}>{t('reports.noData')}</span>
        ) : (
          formats.percent(uptime)
        )}
      </td>
      {cells.map(([word, value]) => (
        <td
          key={word}
          className={table.figure}
          data-word={word}
          data-nothing={value === '–' || value === '' || undefined}
        >
          {value}
        </td>
      ))}
    </>
  );
}
