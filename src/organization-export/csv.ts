// The two tables of an export that people open in a spreadsheet.
import type { Writable } from 'node:stream';
import { DAY_MS } from '../domain/durations.ts';
import { uptimeOf } from '../domain/uptime.ts';
import { csvLine } from '../platform/csv.ts';
import type { Snapshot } from '../platform/db/snapshot.ts';
import { unix } from '../platform/unix.ts';
import { type Ask, readHistory } from '../series/uptime.ts';
import { eachRow, ended, writer } from './stream.ts';

/**
 * Checks of a monitor ($1: its number) by UTC day. One definition holds everywhere
 * (docs/rules/figures.md#uptime-by-day): results inside maintenance and discarded downtimes are left out, and results
 * that say nothing about the target. Days that are rolled up are counted from half days, which are kept longer than
 * checks; other days, and those to be rolled up again, from their checks.
 */
const DAYS = `
  WITH discarded AS (
    SELECT id, started_at, resolved_at FROM incidents WHERE monitor_no = $1 AND discarded
  ), again AS (
    SELECT day FROM (
      SELECT DISTINCT generate_series(date_trunc('day', since, 'UTC'), until - interval '1 microsecond', '1 day', 'UTC')
        AS day FROM rollup_dirty WHERE monitor_no = $1
    ) noted WHERE EXISTS (SELECT FROM checks WHERE monitor_no = $1 AND checked_at >= day AND checked_at < day + interval '1 day')
      OR EXISTS (SELECT FROM late_checks WHERE monitor_no = $1 AND checked_at >= day AND checked_at < day + interval '1 day')
      OR EXISTS (SELECT FROM packed_checks p WHERE p.monitor_no = $1 AND p.day = noted.day)
  ), open AS (SELECT date_trunc('day', rolled_until, 'UTC') AS since FROM rollup_state),
  counted AS (
    SELECT date_trunc('day', c.checked_at, 'UTC') AS day, (c.status = 0)::int AS up, (c.status = 1)::int AS degraded,
      (c.status = 2)::int AS down
    FROM (
      SELECT checked_at, status, cause_layer FROM checks WHERE monitor_no = $1 AND checked_at >= (SELECT since FROM open)
      UNION ALL
      SELECT s.checked_at, s.status, s.cause_layer FROM again a CROSS JOIN regions r
      CROSS JOIN LATERAL stored_results($1, r.no, a.day, a.day + interval '1 day') s
      WHERE s.checked_at < (SELECT since FROM open)
    ) c
    WHERE c.cause_layer IS DISTINCT FROM 'probe'
      AND NOT EXISTS (SELECT FROM maintenance_monitors w
        WHERE w.monitor_no = $1 AND c.checked_at >= w.starts_at AND c.checked_at < w.ends_at)
      AND NOT EXISTS (SELECT FROM discarded d WHERE c.checked_at >= d.started_at AND c.checked_at < d.resolved_at)
    UNION ALL
    SELECT date_trunc('day', b.bucket, 'UTC'), b.up - coalesce(b.maintenance_up, 0),
      b.degraded - coalesce(b.maintenance_degraded, 0), b.down - coalesce(b.maintenance_down, 0)
    FROM check_buckets_12h b
    WHERE b.monitor_no = $1 AND b.bucket < (SELECT since FROM open)
      AND date_trunc('day', b.bucket, 'UTC') NOT IN (SELECT day FROM again)
    UNION ALL
    SELECT date_trunc('day', b.bucket, 'UTC'), -b.up, -b.degraded, -b.down FROM downtime_buckets b
    WHERE b.monitor_no = $1 AND b.bucket < (SELECT since FROM open)
      AND date_trunc('day', b.bucket, 'UTC') NOT IN (SELECT day FROM again)
      AND EXISTS (SELECT FROM discarded d WHERE d.id = ANY(b.incident_ids))
  )
  SELECT (day AT TIME ZONE 'UTC')::date::text AS day, sum(up + degraded + down) AS checks, sum(up) AS up,
    sum(degraded) AS degraded, sum(down) AS down
  FROM counted GROUP BY 1 HAVING sum(up + degraded + down) > 0 ORDER BY 1`;

type Monitor = { no: number; id: string; name: string; project: string };
type Day = { day: string; checks: number; up: number; degraded: number; down: number };

const DAY_COLUMNS = [
  'date',
  'monitor_id',
  'monitor',
  'project',
  'checks',
  'up',
  'degraded',
  'down',
  'checks_passed_pct',
  'uptime_time_pct',
] as const;

/** One line per monitor and UTC day with a counted result; the last day ends at `now`. */
export async function writeUptime(
  snapshot: Snapshot,
  organizationId: string,
  now: Date,
  out: Writable,
): Promise<void> {
  const put = writer(out);
  await put(csvLine([...DAY_COLUMNS]));
  const monitors = await snapshot.read(
    async (client) =>
      (
        await client.query<Monitor>(
          `SELECT m.no, m.id, m.name, p.name AS project FROM monitors m JOIN projects p ON p.id = m.project_id
           WHERE m.org_id = $1 AND NOT m.example ORDER BY m.id`,
          [organizationId],
        )
      ).rows,
  );
  for (const { no, id, name, project } of monitors) {
    const { days, history } = await snapshot.read(async (client) => {
      const { rows } = await client.query<Day>(DAYS, [no]);
      const ask: Ask = async (text, values) => (await client.query(text, [...values])).rows;
      const from = new Date(rows[0]?.day ?? now);
      return { days: rows, history: await readHistory(ask, no, from, now) };
    });
    for (const { day, checks, up, degraded, down } of days) {
      const fromMs = Date.parse(day);
      const uptime = uptimeOf({ fromMs, untilMs: Math.min(fromMs + DAY_MS, unix(now) * 1000) }, history);
      const passed = rounded(((up + degraded) / checks) * 100);
      await put(csvLine([day, id, name, project, checks, up, degraded, down, passed, rounded(uptime.pct)]));
    }
  }
  await ended(out);
}

const INCIDENTS = `
  SELECT i.id, i.monitor_id, m.name AS monitor, p.name AS project,
    CASE WHEN i.discarded THEN 'discarded' ELSE i.status END AS status, i.severity, i.severity_level, i.cause, i.summary,
    array_to_string(i.down_regions, ' ') AS down_regions, i.started_at, i.acknowledged_at, u.email AS acknowledged_by,
    i.resolved_at, i.auto_resolved,
    round(extract(epoch FROM i.resolved_at - i.started_at))::bigint AS duration_seconds
  FROM incidents i LEFT JOIN monitors m ON m.no = i.monitor_no LEFT JOIN projects p ON p.id = i.project_id
  LEFT JOIN users u ON u.id = i.acknowledged_by_user_id
  WHERE i.org_id = $1 AND NOT i.example ORDER BY i.started_at, i.id`;

const INCIDENT_COLUMNS = [
  'id',
  'monitor_id',
  'monitor',
  'project',
  'status',
  'severity',
  'severity_level',
  'cause',
  'summary',
  'down_regions',
  'started_at',
  'acknowledged_at',
  'acknowledged_by',
  'resolved_at',
  'auto_resolved',
  'duration_seconds',
] as const;

/** One line per incident, oldest first; times as ISO 8601 in UTC. */
export async function writeIncidents(
  snapshot: Snapshot,
  organizationId: string,
  out: Writable,
): Promise<void> {
  const put = writer(out);
  await put(csvLine([...INCIDENT_COLUMNS]));
  await snapshot.read((client) =>
    eachRow<Record<string, unknown>>(client, INCIDENTS, [organizationId], (row) =>
      put(csvLine(INCIDENT_COLUMNS.map((column) => row[column]))),
    ),
  );
  await ended(out);
}

const rounded = (pct: number | null) => (pct === null ? null : Number(pct.toFixed(4)));
