// The incidents of a report: those of its monitors, and without a filter those of no monitor too.
import { sql } from 'kysely';
import type { Span } from '../domain/spans.ts';
import { unix, unixOrNull } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import { MAX_INCIDENTS, type ReportedIncident } from './contract.ts';
import type { Listed } from './monitors.ts';

type Row = {
  id: string;
  monitor_id: string;
  monitor_no: number | null;
  origin: 'automatic' | 'manual';
  cause: string;
  severity: string;
  status: string;
  discarded: boolean;
  started_at: Date;
  resolved_at: Date | null;
  acknowledged_at: Date | null;
  title: string | null;
  postmortem_status: string | null;
  count: number;
};

/** Incidents within a range or overlapping it, oldest first. `count`: the total. `standalone`: also those of no monitor. */
export async function listIncidents(
  db: Database,
  orgId: string,
  monitors: readonly Listed[],
  { fromMs, untilMs }: Span,
  standalone: boolean,
): Promise<{ incidents: ReportedIncident[]; count: number }> {
  const byNo = new Map(monitors.map((monitor) => [monitor.no, monitor]));
  const { rows } = await sql<Row>`
    SELECT i.id, i.monitor_id, i.monitor_no, i.origin, i.cause, i.severity, i.status, i.discarded, i.started_at,
      i.resolved_at, i.acknowledged_at, m.title, m.status AS postmortem_status, (count(*) OVER ())::int AS count
    FROM incidents i LEFT JOIN postmortems m ON m.incident_id = i.id
    WHERE i.org_id = ${orgId} AND (i.monitor_no = ANY(${[...byNo.keys()]}::int[]) OR (${standalone} AND i.monitor_id = ''))
      AND i.started_at < ${new Date(untilMs)} AND (i.resolved_at IS NULL OR i.resolved_at > ${new Date(fromMs)})
    ORDER BY i.started_at, i.id LIMIT ${MAX_INCIDENTS}`.execute(db);
  const incidents = rows.map((row) => shown(row, byNo.get(row.monitor_no ?? -1)?.name ?? null));
  return { incidents, count: rows[0]?.count ?? 0 };
}

function shown(row: Row, monitorName: string | null): ReportedIncident {
  const { id, monitor_id, origin, cause, severity, status, discarded, started_at } = row;
  return {
    ...{ id, monitor_id, origin, cause, severity, status, discarded },
    monitor_name: monitorName,
    started_at_unix: unix(started_at),
    resolved_at_unix: unixOrNull(row.resolved_at),
    duration_seconds: secondsSince(started_at, row.resolved_at),
    acknowledged_after_seconds: secondsSince(started_at, row.acknowledged_at),
    postmortem:
      row.postmortem_status === null ? null : { title: row.title ?? '', status: row.postmortem_status },
  };
}

const secondsSince = (from: Date, at: Date | null) =>
  at === null ? null : Math.max(0, Math.round((at.getTime() - from.getTime()) / 1000));
