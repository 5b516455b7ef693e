// The current state of a page's monitors.
import { sql } from 'kysely';
import { type MonitorPageState, monitorState } from '#src/domain/page-state.ts';
import { CAN_FALL_SILENT, onlineRegionNos, reportingAt } from '#src/monitors/no-data.ts';
import type { Database } from '#src/platform/work.ts';

export type NamedState = {
  no: number;
  id: string;
  name: string;
  project: string;
  /** Measures a response time. */
  isTimed: boolean;
  state: MonitorPageState;
};

type Row = {
  no: number;
  id: string;
  name: string;
  project: string;
  type: string;
  enabled: boolean;
  last_status: string | null;
  silent: boolean;
  in_maintenance: boolean;
  has_open_incident: boolean;
};

/** Types whose results have no response time of a target. */
const UNTIMED = new Set(['heartbeat', 'agent', 'service', 'group', 'domain']);

/** The monitors of an organization with these numbers, by number, with their names and states. */
export async function readStates(
  db: Database,
  orgId: string,
  nos: readonly number[],
  now: Date,
): Promise<Map<number, NamedState>> {
  const { rows } = await sql<Row>`
    WITH online AS MATERIALIZED ${onlineRegionNos(now)}
    SELECT monitors.no, monitors.id, monitors.name, projects.name AS project, monitors.type, monitors.enabled,
      monitor_state.last_status, ${CAN_FALL_SILENT} AND NOT reporting.reports AS silent,
      EXISTS (SELECT FROM maintenance_monitors x JOIN maintenance_windows w ON w.id = x.window_id
        WHERE x.monitor_no = monitors.no AND x.starts_at <= ${now} AND x.ends_at > ${now} AND w.public_visible) AS in_maintenance,
      EXISTS (SELECT FROM incidents i WHERE i.monitor_no = monitors.no AND i.status = 'open') AS has_open_incident
    FROM monitors
    JOIN projects ON projects.id = monitors.project_id
    JOIN monitor_state ON monitor_state.monitor_no = monitors.no
    JOIN ${reportingAt(now)} reporting ON true
    WHERE monitors.org_id = ${orgId} AND monitors.no = ANY(${nos}::int[])`.execute(db);
  return new Map(
    rows.map((row) => [
      row.no,
      {
        no: row.no,
        id: row.id,
        name: row.name,
        project: row.project,
        isTimed: !UNTIMED.has(row.type),
        state: monitorState({
          enabled: row.enabled,
          lastStatus: row.last_status,
          hasNoData: row.silent,
          inMaintenance: row.in_maintenance,
          hasOpenIncident: row.has_open_incident,
        }),
      },
    ]),
  );
}
