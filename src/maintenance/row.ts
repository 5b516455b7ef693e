// A maintenance window as the database holds it, and as the API shows it.
import { type Selectable, sql } from 'kysely';
import type { PlannedTime } from '../domain/maintenance.ts';
import type { DB } from '../platform/db/tables.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { sees } from '../platform/http/within.ts';
import { notFound } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database, Tx } from '../platform/work.ts';
import type { MaintenanceWindow, Repeat } from './contract.ts';

/** `byTag`: it is in because of its tags, and goes with them; nobody named it. */
export type WindowMonitor = { no: number; id: string; name: string; projectId: string; byTag: boolean };
/** With its monitors, by name, and how it comes again, if it does. */
export type WindowRow = Selectable<DB['maintenance_windows']> & {
  monitors: WindowMonitor[];
  repeat: Repeat | null;
};

/** Windows with their monitors; `where` narrows `w`, the rest of the statement follows. */
export async function readWindows(
  db: Database | Tx,
  where: ReturnType<typeof sql>,
  rest = sql``,
): Promise<WindowRow[]> {
  const { rows } = await sql<WindowRow>`
    SELECT w.id, w.org_id, w.title, w.body, w.scheduled_start, w.scheduled_end, w.public_visible, w.cancelled_at,
      w.started_at, w.ended_at, w.created_at, w.changed_at, w.series_id, w.occurs_at, w.tags, coalesce(named.monitors, '[]') AS monitors,
      CASE WHEN s.id IS NOT NULL THEN json_build_object('rrule', s.rrule, 'timezone', s.timezone,
        'until_unix', extract(epoch FROM s.repeat_until)::bigint) END AS repeat
    FROM maintenance_windows w LEFT JOIN maintenance_series s ON s.id = w.series_id CROSS JOIN LATERAL (
      SELECT json_agg(json_build_object('no', m.no, 'id', m.id, 'name', m.name, 'projectId', m.project_id, 'byTag', x.by_tag)
        ORDER BY m.name, m.id) AS monitors
      FROM maintenance_monitors x JOIN monitors m ON m.no = x.monitor_no WHERE x.window_id = w.id
    ) named
    WHERE ${where} ${rest}`.execute(db);
  return rows;
}

/** A window of an organization; 404 when unknown or another organization's. */
export async function windowOf(db: Database | Tx, orgId: string, windowId: string): Promise<WindowRow> {
  const [row] = await readWindows(db, sql`w.id = ${windowId} AND w.org_id = ${orgId}`);
  return row ?? notFound('maintenance window');
}

/** The window as the API shows it; a narrowed key sees only its own monitors. */
export function showWindow(row: WindowRow, within: ResourceFilter = null): MaintenanceWindow {
  return {
    id: row.id,
    title: row.title,
    body: row.body,
    scheduled_start: unix(row.scheduled_start),
    scheduled_end: unix(row.scheduled_end),
    public_visible: row.public_visible,
    cancelled: row.cancelled_at !== null,
    series_id: row.series_id,
    repeat: row.repeat,
    monitors: row.monitors
      .filter(({ id, projectId }) => sees(within, { projectId, monitorId: id }))
      .map(({ id, name, byTag }) => ({ id, name, by_tag: byTag })),
    tags: row.tags,
  };
}

export const plannedTime = (
  row: Pick<WindowRow, 'scheduled_start' | 'scheduled_end' | 'cancelled_at'>,
): PlannedTime => ({
  startMs: row.scheduled_start.getTime(),
  endMs: row.scheduled_end.getTime(),
  cancelledMs: row.cancelled_at?.getTime() ?? null,
});
