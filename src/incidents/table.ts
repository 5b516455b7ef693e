// The list of incidents for spreadsheets.
import { stateOf } from '../domain/incident-filter.ts';
import type { CsvColumn } from '../platform/http/csv-stream.ts';
import type { IncidentSummary } from './contract.ts';

const instant = (unix: number | null) => (unix === null ? null : new Date(unix * 1000));

export const INCIDENT_COLUMNS: readonly CsvColumn<IncidentSummary>[] = [
  ['id', (row) => row.id],
  ['monitor_id', (row) => row.monitor_id],
  ['monitor', (row) => row.monitor_name],
  ['project', (row) => row.project_name],
  ['cause', (row) => row.cause],
  ['severity', (row) => row.severity],
  ['status', (row) => row.status],
  ['state', (row) => stateOf(row)],
  ['started_at', (row) => instant(row.started_at_unix)],
  ['resolved_at', (row) => instant(row.resolved_at_unix)],
  [
    'duration_seconds',
    (row) => (row.resolved_at_unix === null ? null : row.resolved_at_unix - row.started_at_unix),
  ],
  ['acknowledged_by', (row) => row.acknowledged_by_email],
  ['down_regions', (row) => row.down_regions.join(' ')],
  ['region_count', (row) => row.region_count],
  ['storm', (row) => row.group_name],
];
