// Turns a change on a page into an announcement, in the same transaction, if the page has subscribers.
import { type RawBuilder, sql } from 'kysely';
import type { Changed } from '#src/incidents/announce.ts';
import type { WindowChange } from '#src/maintenance/changed.ts';
import { unix, unixOrNull } from '#src/platform/unix.ts';
import { sendUnawaited, type Work } from '#src/platform/work.ts';
import type { AnnouncementKind, IncidentFacts, WindowFacts } from './facts.ts';

export const MAILING_TASK = 'mail_subscribers';
export const mailingKey = (pageId: string) => `${MAILING_TASK}:${pageId}`;

/** Events that happen together are mailed together: mails wait this long for more. */
const GATHER_MS = 2_000;

/** Reaction: incidents were linked, updated or resolved. One statement for any number of them. */
export function announceIncidents(
  work: Work,
  { changes, routing }: { changes: readonly Changed[]; routing: { hasPages: boolean } | null },
): void {
  if (routing?.hasPages === false) return;
  const announced = changes.flatMap((changed) => {
    const kind = kindOf(changed);
    if (kind === null) return [];
    const { row, note } = changed;
    const facts: IncidentFacts = {
      incident_id: row.id,
      severity: row.severity,
      started_at_unix: unix(row.started_at),
      resolved_at_unix: unixOrNull(row.resolved_at),
      note: note?.body ?? null,
    };
    return { kind, incident_id: row.id, monitor_nos: row.monitor_no === null ? [] : [row.monitor_no], facts };
  });
  if (announced.length > 0) sendUnawaited(work, announcing(work, announced));
}

function kindOf({ row, change, note }: Changed): AnnouncementKind | null {
  // No page shows it.
  if (row.discarded) return null;
  // Linked automatically at the opening, or by hand: the statement below reads the current links.
  if (change === 'opened' || change === 'linked') return 'incident_linked';
  if (change === 'noted') return note?.visibility === 'public' ? 'incident_updated' : null;
  return change === 'resolved' ? 'incident_resolved' : null;
}

const announcing = (work: Work, announced: readonly object[]): RawBuilder<unknown> =>
  mailedSoon(sql`
    INSERT INTO status_page_announcements (status_page_id, kind, monitor_nos, facts, at)
    SELECT l.status_page_id, c.kind, c.monitor_nos, c.facts, ${work.now}
    FROM jsonb_to_recordset(${JSON.stringify(announced)}::jsonb) AS c (kind text, incident_id text, monitor_nos int[], facts jsonb)
    JOIN incident_status_pages l ON l.incident_id = c.incident_id
    JOIN status_pages p ON p.id = l.status_page_id
    WHERE ${IS_MAILED} AND (c.kind <> 'incident_linked' OR (l.linked_at = ${work.now} AND NOT ${isAnnounced(work.now)}))
    RETURNING status_page_id`);

/** The link `l` of `c` was announced: another page was linked, or unlinked, in the same millisecond. */
const isAnnounced = (now: Date) => sql`EXISTS (SELECT FROM status_page_announcements a
  WHERE a.status_page_id = l.status_page_id AND a.kind = 'incident_linked' AND a.at = ${now}
    AND a.facts ->> 'incident_id' = c.incident_id)`;

/** A page `p` that visitors can see. */
export const IS_SHOWN = sql`(p.archived_at IS NULL AND p.enabled AND p.access_mode <> 'draft')`;

/** And that has subscribers. */
const IS_MAILED = sql`(${IS_SHOWN} AND EXISTS (
  SELECT FROM status_page_subscribers s WHERE s.status_page_id = p.id AND s.confirmed_at IS NOT NULL))`;

/**
 * Adds the job of each page to a statement that writes announcements and returns their `status_page_id`. A job that waits keeps
 * its time: events that come one after the other without a pause must not put the mail off for as long as they last.
 */
const mailedSoon = (written: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  WITH written AS (${written})
  SELECT graphile_worker.add_job(${MAILING_TASK}, json_build_object('page_id', page_id),
    run_at => now() + make_interval(secs => ${GATHER_MS / 1000}::float8), job_key => ${mailingKey('')}::text || page_id,
    job_key_mode => 'preserve_run_at')
  FROM (SELECT DISTINCT status_page_id AS page_id FROM written) pages`;

/** Reaction: a public window was announced, changed, cancelled, or started or ended. */
export async function announceWindow(work: Work, { before, after, events }: WindowChange): Promise<void> {
  const window = after ?? before;
  if (!window?.public_visible) return;
  const kinds = windowKinds({ before, after, events }, work.now);
  if (kinds.length === 0) return;
  const left = leftOf({ before, after });
  const facts: WindowFacts = {
    window_id: window.id,
    title: window.title,
    body: window.body,
    scheduled_start: unix(window.scheduled_start),
    scheduled_end: unix(window.scheduled_end),
    left_nos: left,
  };
  // Whoever was mailed that the work affects a monitor is mailed that it no longer does.
  const nos = [...window.monitors.map(({ no }) => no), ...left];
  const announced = mailedSoon(sql`
    INSERT INTO status_page_announcements (status_page_id, kind, monitor_nos, facts, at)
    SELECT p.id, kind, ${nos}::int[], ${JSON.stringify(facts)}::jsonb, ${work.now}
    FROM status_pages p, unnest(${kinds}::text[]) AS kind
    WHERE p.org_id = ${window.org_id} AND ${IS_MAILED} AND EXISTS (
      SELECT FROM status_page_monitors m WHERE m.status_page_id = p.id AND m.monitor_no = ANY(${nos}::int[]))
    RETURNING status_page_id`);
  sendUnawaited(work, announced);
}

/** The kinds of mail for a change. A plan that lies entirely in the past is mailed to nobody. */
function windowKinds({ before, after, events }: WindowChange, now: Date): AnnouncementKind[] {
  // A repetition, and what becomes of it, is mailed with the windows themselves: one change may be of many.
  const isRepeated = (after ?? before)?.series_id != null;
  if (isRepeated && events.length === 0) return [];
  const isOver = (window: NonNullable<typeof after>) => window.scheduled_end <= now;
  if (after === null)
    return before && before.cancelled_at === null && !isOver(before) ? ['maintenance_cancelled'] : [];
  if (after.cancelled_at !== null)
    return before?.cancelled_at === null && !isOver(before) ? ['maintenance_cancelled'] : [];
  const isPutOff = after.scheduled_start > now;
  const turns = events.map((event): AnnouncementKind => (isPutOff ? 'maintenance_changed' : event));
  if (turns.length > 0) return turns;
  if (isOver(after)) return [];
  if (before === null || !before.public_visible) return ['maintenance_announced'];
  return differs(before, after) ? ['maintenance_changed'] : [];
}

/** Numbers of the monitors that a changed window affects no more. */
function leftOf({ before, after }: Pick<WindowChange, 'before' | 'after'>): number[] {
  if (!before?.public_visible || after === null) return [];
  const kept = new Set(after.monitors.map(({ no }) => no));
  return before.monitors.map(({ no }) => no).filter((no) => !kept.has(no));
}

const SHOWN = ['title', 'body'] as const;

function differs(before: NonNullable<WindowChange['before']>, after: NonNullable<WindowChange['after']>) {
  const monitors = (window: typeof after) => window.monitors.map(({ no }) => no).join();
  return (
    SHOWN.some((field) => before[field] !== after[field]) ||
    before.scheduled_start.getTime() !== after.scheduled_start.getTime() ||
    before.scheduled_end.getTime() !== after.scheduled_end.getTime() ||
    monitors(before) !== monitors(after)
  );
}
