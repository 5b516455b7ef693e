// The tables of a report for spreadsheets. Uptime and coverage are truncated as everywhere else, so that they match the page.
import { cutPercent } from '../domain/percent.ts';
import { csvLine } from '../platform/csv.ts';
import type { Report, ReportedIncident, ReportedMonitor, ReportTable } from './contract.ts';

type Column<Row> = readonly [name: string, of: (row: Row) => unknown];

const percent = (value: number | null) => value && cutPercent(value).value;
const instant = (unix: number | null) => (unix === null ? null : new Date(unix * 1000));

const MONITORS: readonly Column<ReportedMonitor>[] = [
  ['monitor_id', (row) => row.monitor_id],
  ['monitor', (row) => row.name],
  ['project', (row) => row.project_name],
  ['type', (row) => row.type],
  ['enabled', (row) => row.enabled],
  ['uptime_time_pct', (row) => percent(row.uptime_time_pct)],
  ['coverage_pct', (row) => percent(row.coverage_pct)],
  ['counted_seconds', (row) => row.counted_seconds],
  ['downtime_seconds', (row) => row.downtime_seconds],
  ['maintenance_seconds', (row) => row.maintenance_seconds],
  ['unknown_seconds', (row) => row.unknown_seconds],
  ['discarded_seconds', (row) => row.discarded_seconds],
  ['incidents', (row) => row.incidents],
  ['longest_downtime_seconds', (row) => row.longest_downtime_seconds],
];

const INCIDENTS: readonly Column<ReportedIncident>[] = [
  ['id', (row) => row.id],
  ['monitor_id', (row) => row.monitor_id],
  ['monitor', (row) => row.monitor_name],
  ['origin', (row) => row.origin],
  ['status', (row) => (row.discarded ? 'discarded' : row.status)],
  ['severity', (row) => row.severity],
  ['cause', (row) => row.cause],
  ['started_at', (row) => instant(row.started_at_unix)],
  ['resolved_at', (row) => instant(row.resolved_at_unix)],
  ['duration_seconds', (row) => row.duration_seconds],
  ['acknowledged_after_seconds', (row) => row.acknowledged_after_seconds],
  ['postmortem', (row) => row.postmortem?.title],
];

/** A line with the names of the columns, then one line per row. Times are ISO 8601 in UTC. */
export const reportCsv = (report: Report, table: ReportTable): string =>
  table === 'monitors' ? lines(MONITORS, report.monitors) : lines(INCIDENTS, report.incidents ?? []);

const lines = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string =>
  [columns.map(([name]) => name), ...rows.map((row) => columns.map(([, of]) => of(row)))]
    .map(csvLine)
    .join('');
