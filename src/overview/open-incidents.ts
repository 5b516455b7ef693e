// The open incidents with the people who have them, and the newest closed incidents.
import { type RawBuilder, sql } from 'kysely';
import { inMaintenance } from '../conditions/maintenance.ts';
import { SEEN } from '../incidents/queries.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { seenIn } from '../platform/http/within.ts';
import type { Database } from '../platform/work.ts';
import { MAX_OPEN, MAX_RECENT, type Open, type RecentIncident } from './contract.ts';

const seenOf = (within: ResourceFilter) => (within ? seenIn(within, SEEN) : sql`true`);
/** As a number that every client can read, also after 2038. */
const unixOf = (instant: RawBuilder<unknown>) => sql`floor(extract(epoch FROM ${instant}))::float8`;

/**
 * Counts every open incident and names the first ones, in one statement. The acknowledger is a person under their current
 * name, or a key under its name in the timeline.
 */
export async function readOpen(
  db: Database,
  orgId: string,
  within: ResourceFilter,
  now: Date,
): Promise<Open> {
  const { rows } = await sql<Open>`
    WITH open AS MATERIALIZED (
      SELECT incidents.id, incidents.monitor_id, incidents.monitor_no, incidents.cause, incidents.severity,
        incidents.started_at, incidents.acknowledged_at,
        CASE WHEN incidents.acknowledged_at IS NOT NULL THEN coalesce(users.name, said.actor_name, '') END AS acknowledger
      FROM incidents LEFT JOIN users ON users.id = incidents.acknowledged_by_user_id
      LEFT JOIN LATERAL (
        SELECT t.actor_name FROM incident_timeline t WHERE t.incident_id = incidents.id AND t.kind = 'acknowledged'
        ORDER BY t.no DESC LIMIT 1
      ) said ON incidents.acknowledged_at IS NOT NULL AND users.id IS NULL
      WHERE incidents.org_id = ${orgId} AND incidents.status = 'open' AND NOT incidents.example AND ${seenOf(within)}
    ), first AS (
      SELECT open.*, monitors.name AS monitor_name,
        ${inMaintenance(sql`open.monitor_no`, sql`${now}::timestamptz`)} AS in_maintenance,
        row_number() OVER (ORDER BY open.acknowledged_at IS NOT NULL,
          array_position(ARRAY['critical', 'default', 'degraded'], open.severity), open.started_at DESC, open.id DESC) AS place
      FROM open LEFT JOIN monitors ON monitors.no = open.monitor_no ORDER BY place LIMIT ${MAX_OPEN}
    ), acknowledgers AS (
      SELECT acknowledger AS name, count(*)::int AS incidents FROM open WHERE acknowledger IS NOT NULL GROUP BY acknowledger
    )
    SELECT (count(*))::int AS total, ${unixOf(sql`min(started_at)`)} AS since_unix,
      coalesce(date_trunc('minute', min(started_at)) = date_trunc('minute', max(started_at)), true) AS since_same_minute,
      (count(*) FILTER (WHERE acknowledger IS NULL))::int AS unacknowledged,
      coalesce((SELECT json_agg(acknowledgers ORDER BY incidents DESC, name) FROM acknowledgers), '[]') AS acknowledged_by,
      coalesce((SELECT json_agg(json_build_object('id', id, 'monitor_id', nullif(monitor_id, ''),
        'monitor_name', monitor_name, 'cause', cause, 'severity', severity, 'started_at_unix', ${unixOf(sql`started_at`)},
        'acknowledged_at_unix', ${unixOf(sql`acknowledged_at`)}, 'acknowledged_by_name', acknowledger,
        'in_maintenance', in_maintenance) ORDER BY place) FROM first), '[]') AS incidents
    FROM open`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('an aggregate answers one row');
  return row;
}

/** The closed incidents that started last, without discarded ones. */
export async function readRecent(
  db: Database,
  orgId: string,
  within: ResourceFilter,
): Promise<RecentIncident[]> {
  const { rows } = await sql<RecentIncident>`
    SELECT incidents.id, monitors.name AS monitor_name, incidents.cause, incidents.severity,
      ${unixOf(sql`incidents.started_at`)} AS started_at_unix,
      ${unixOf(sql`incidents.resolved_at`)} AS resolved_at_unix
    FROM incidents LEFT JOIN monitors ON monitors.no = incidents.monitor_no
    WHERE incidents.org_id = ${orgId} AND incidents.status = 'closed' AND NOT incidents.discarded AND NOT incidents.example
      AND ${seenOf(within)}
    ORDER BY incidents.started_at DESC, incidents.id DESC LIMIT ${MAX_RECENT}`.execute(db);
  return rows;
}
