// Held alarms, and planned maintenance.
import { sql } from 'kysely';
import { SEEN } from '../incidents/queries.ts';
import { visibleTo } from '../maintenance/list.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { seenIn } from '../platform/http/within.ts';
import type { Database } from '../platform/work.ts';
import { type Hold, MAX_HOLDS, type Window } from './contract.ts';

/** The most windows that are named: of those in progress, and of those to come. */
const MAX_IN_PROGRESS = 10;
const MAX_UPCOMING = 3;

/** Holds of open incidents, and announced changes, which hold the alarms of incidents that open until then. */
export async function readHolds(
  db: Database,
  orgId: string,
  within: ResourceFilter,
  now: Date,
): Promise<Hold[]> {
  const incidents = within ? seenIn(within, SEEN) : sql`true`;
  const monitors = within ? seenIn(within, { project: 'm.project_id', monitor: 'm.id' }) : sql`true`;
  const { rows } = await sql<Hold>`
    SELECT incident_id, monitor_id, name, by_name, floor(extract(epoch FROM until))::float8 AS until_unix FROM (
      SELECT incidents.id AS incident_id, nullif(incidents.monitor_id, '') AS monitor_id,
        coalesce(m.name, incidents.cause) AS name, coalesce(incidents.alarm_held_by_name, '') AS by_name,
        incidents.alarm_held_until AS until
      FROM incidents LEFT JOIN monitors m ON m.no = incidents.monitor_no
      WHERE incidents.org_id = ${orgId} AND incidents.status = 'open' AND incidents.alarm_held_until > ${now}
        AND NOT incidents.example AND ${incidents}
      UNION ALL
      -- Of several announcements for a monitor, the one that ends last decides.
      (SELECT DISTINCT ON (m.no) NULL, m.id, m.name, h.held_by_name, h.held_until
      FROM alarm_holds h JOIN monitors m ON m.no = h.monitor_no
      WHERE m.org_id = ${orgId} AND h.held_until > ${now} AND ${monitors}
      ORDER BY m.no, h.held_until DESC, h.held_by_name)
    ) held ORDER BY until, name LIMIT ${MAX_HOLDS}`.execute(db);
  return rows;
}

/** Windows in progress, the first to end first, and the next ones to come. */
export async function readMaintenance(
  db: Database,
  orgId: string,
  within: ResourceFilter,
  now: Date,
): Promise<{ now: Window[]; next: Window[] }> {
  const seen = within ? seenIn(within, { project: 'm.project_id', monitor: 'm.id' }) : sql`true`;
  const { rows } = await sql<Window & { begun: boolean }>`
    SELECT begun, id, title, floor(extract(epoch FROM scheduled_start))::float8 AS starts_at_unix,
      floor(extract(epoch FROM scheduled_end))::float8 AS ends_at_unix,
      (SELECT count(*)::int FROM maintenance_monitors x JOIN monitors m ON m.no = x.monitor_no
        WHERE x.window_id = windows.id AND ${seen}) AS monitors
    FROM (
      (SELECT true AS begun, w.* FROM maintenance_windows w
      WHERE w.org_id = ${orgId} AND w.cancelled_at IS NULL AND w.scheduled_start <= ${now} AND w.scheduled_end > ${now}
        AND ${visibleTo(within)}
      ORDER BY w.scheduled_end, w.id LIMIT ${MAX_IN_PROGRESS})
      UNION ALL
      (SELECT false, w.* FROM maintenance_windows w
      WHERE w.org_id = ${orgId} AND w.cancelled_at IS NULL AND w.scheduled_start > ${now} AND ${visibleTo(within)}
      ORDER BY w.scheduled_start, w.id LIMIT ${MAX_UPCOMING})
    ) windows`.execute(db);
  const shown = (begun: boolean) =>
    rows.filter((row) => row.begun === begun).map(({ begun: _, ...window }) => window);
  return { now: shown(true), next: shown(false) };
}
