// The past and planned events of a page: linked incidents with their public notes, and public maintenance.
import { sql } from 'kysely';
import { DAY_MS } from '#src/domain/durations.ts';
import type { IncidentSeverity } from '#src/domain/names.ts';
import type { Database } from '#src/platform/work.ts';
import type { AffectedMonitor, PublicIncident, PublicPostmortem, PublicWindow } from './snapshot.ts';

/** How far a page reaches back, and how far ahead. */
const BACK_MS = 366 * DAY_MS;
const AHEAD_MS = 90 * DAY_MS;
/** The most incidents, and the most windows, of a page. */
const MAX_LISTED = 500;
const MAX_NOTES = 100;

type IncidentRow = {
  id: string;
  monitor_no: number | null;
  severity: IncidentSeverity;
  acknowledged_at: Date | null;
  started_at: Date;
  resolved_at: Date | null;
  notes: { id: string; kind: 'note' | 'status_update'; body: string; at: number }[];
  postmortem:
    | (Omit<PublicPostmortem, 'publishedAt' | 'changedAt'> & { publishedAt: number; changedAt: number })
    | null;
};

/**
 * The incidents linked to a page that are open or began in the last twelve months, newest first, without discarded ones.
 * `shown`: the monitors of the page by their numbers. Does not even read causes, regions, evidence, names of people
 * and internal notes.
 */
export async function readIncidents(
  db: Database,
  pageId: string,
  shown: ReadonlyMap<number, AffectedMonitor>,
  now: Date,
): Promise<PublicIncident[]> {
  const { rows } = await sql<IncidentRow>`
    SELECT i.id, i.monitor_no, i.severity, i.acknowledged_at, i.started_at, i.resolved_at,
      coalesce(n.notes, '[]') AS notes,
      CASE WHEN p.incident_id IS NOT NULL THEN json_build_object('title', p.title, 'summary', p.summary, 'impact', p.impact,
        'rootCause', p.root_cause, 'contributingFactors', p.contributing_factors, 'whatWentWell', p.what_went_well,
        'whatWentWrong', p.what_went_wrong, 'lessons', p.lessons,
        'publishedAt', extract(epoch FROM p.published_at) * 1000,
        'changedAt', extract(epoch FROM greatest(p.published_at, p.updated_at)) * 1000) END AS postmortem
    FROM incident_status_pages l JOIN incidents i ON i.id = l.incident_id
    LEFT JOIN postmortems p ON p.incident_id = i.id AND p.status = 'published' AND p.visibility = 'public'
    CROSS JOIN LATERAL (
      SELECT json_agg(json_build_object('id', o.id, 'kind', o.kind, 'body', o.body,
        'at', extract(epoch FROM o.created_at) * 1000) ORDER BY o.created_at DESC, o.id DESC) AS notes
      FROM (SELECT * FROM incident_notes WHERE incident_id = i.id AND visibility = 'public'
        ORDER BY created_at DESC, id DESC LIMIT ${MAX_NOTES}) o
    ) n
    WHERE l.status_page_id = ${pageId} AND NOT i.discarded
      AND (i.status = 'open' OR i.started_at > ${new Date(now.getTime() - BACK_MS)})
    ORDER BY (i.status = 'open') DESC, i.started_at DESC, i.id DESC LIMIT ${MAX_LISTED}`.execute(db);
  return rows
    .map((row) => {
      const monitor = row.monitor_no === null ? undefined : shown.get(row.monitor_no);
      const { postmortem } = row;
      return {
        id: row.id,
        monitors: monitor === undefined ? [] : [monitor],
        severity: row.severity,
        acknowledgedAt: row.acknowledged_at,
        startedAt: row.started_at,
        resolvedAt: row.resolved_at,
        notes: row.notes.map(({ at, ...note }) => ({ ...note, at: new Date(at) })),
        postmortem: postmortem && {
          ...postmortem,
          publishedAt: new Date(postmortem.publishedAt),
          changedAt: new Date(postmortem.changedAt),
        },
      };
    })
    .sort((a, b) => b.startedAt.getTime() - a.startedAt.getTime());
}

type WindowRow = {
  id: string;
  title: string;
  body: string;
  scheduled_start: Date;
  scheduled_end: Date;
  cancelled_at: Date | null;
  changed_at: Date;
  monitor_nos: number[];
};

/** Public windows that affect a monitor of the page, by their start. */
export async function readMaintenance(
  db: Database,
  orgId: string,
  shown: ReadonlyMap<number, AffectedMonitor>,
  now: Date,
): Promise<PublicWindow[]> {
  const nos = [...shown.keys()];
  const { rows } = await sql<WindowRow>`
    SELECT w.id, w.title, w.body, w.scheduled_start, w.scheduled_end, w.cancelled_at,
      greatest(w.created_at, w.changed_at, w.cancelled_at) AS changed_at, x.nos AS monitor_nos
    FROM maintenance_windows w CROSS JOIN LATERAL (
      SELECT array_agg(monitor_no ORDER BY monitor_no) AS nos FROM maintenance_monitors WHERE window_id = w.id
    ) x
    WHERE w.org_id = ${orgId} AND w.public_visible AND x.nos && ${nos}::int[]
      AND w.scheduled_start < ${new Date(now.getTime() + AHEAD_MS)}
      AND w.scheduled_end > ${new Date(now.getTime() - BACK_MS)}
    ORDER BY abs(extract(epoch FROM w.scheduled_start - ${now}::timestamptz)) LIMIT ${MAX_LISTED}`.execute(
    db,
  );
  return rows
    .map((row) => ({
      id: row.id,
      title: row.title,
      body: row.body,
      startsAt: row.scheduled_start,
      endsAt: row.scheduled_end,
      state: stateOf(row, now),
      cancelledAt: row.cancelled_at,
      changedAt: row.changed_at,
      monitors: row.monitor_nos.flatMap((no) => shown.get(no) ?? []),
    }))
    .sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
}

function stateOf({ scheduled_start, scheduled_end }: WindowRow, now: Date): PublicWindow['state'] {
  if (scheduled_end <= now) return 'past';
  return scheduled_start > now ? 'upcoming' : 'active';
}
