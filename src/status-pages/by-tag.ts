// Pages that show monitors by tag: monitors with one of the tags follow those that somebody placed. A job writes their rows
// when tags change, so that no reader of a page looks up tags (docs/rules/status-pages.md#monitors-by-tag).
import { sql } from 'kysely';
import { addJob } from '../platform/jobs/add-job.ts';
import type { Tx, Work } from '../platform/work.ts';
import { announcePage } from './changed.ts';
import type { PageRow } from './lock.ts';

export const PAGE_TAGS_TASK = 'status_page_tags';

/** The most monitors of a page, including those by tag. */
export const MAX_MONITORS = 200;
/** After every position that a list assigns. */
const LAST_PLACES = 1_000_000;
const DAYS = 90;

type Tagged = Pick<PageRow, 'id' | 'org_id' | 'monitor_tags'>;

/** Monitors got or lost these tags: the pages that show them follow as soon as this transaction commits. */
export async function wakePageTags(
  { tx }: Work,
  { orgId, tags }: { orgId: string; tags: readonly string[] },
): Promise<void> {
  const { rows } = await sql`
    SELECT FROM status_pages WHERE org_id = ${orgId} AND archived_at IS NULL
      AND monitor_tags && ${[...tags]}::text[] LIMIT 1`.execute(tx);
  if (rows.length > 0)
    await addJob(tx, { task: PAGE_TAGS_TASK, payload: { org_id: orgId }, key: `${PAGE_TAGS_TASK}:${orgId}` });
}

/** The job: updates every page of an organization that shows monitors by tag. */
export async function followPageTags(work: Work, orgId: string): Promise<void> {
  const { rows } = await sql<Tagged>`
    SELECT id, org_id, monitor_tags FROM status_pages
    WHERE org_id = ${orgId} AND archived_at IS NULL AND monitor_tags <> '{}' ORDER BY id FOR NO KEY UPDATE`.execute(
    work.tx,
  );
  for (const page of rows) if (await fillByTag(work.tx, page)) await announcePage(work, page.id);
}

/** Writes the monitors that a locked page shows by tag, by name, as far as there is room; returns whether they changed. */
export async function fillByTag(tx: Tx, page: Tagged): Promise<boolean> {
  const { rows } = await sql<{ changed: number }>`
    WITH wanted AS (${taggedOn(page)}), gone AS (
      DELETE FROM status_page_monitors x
      WHERE x.status_page_id = ${page.id} AND x.by_tag AND x.monitor_no NOT IN (SELECT no FROM wanted) RETURNING 1
    ), come AS (
      INSERT INTO status_page_monitors (status_page_id, monitor_no, display_name, group_label, show_sparkline,
        show_uptime_bars, show_uptime_chart, sort_order, uptime_window_days, by_tag)
      SELECT ${page.id}, no, NULL, NULL, true, true, true, ${LAST_PLACES} + place, ${DAYS}, true FROM wanted
      ON CONFLICT (status_page_id, monitor_no) DO UPDATE SET sort_order = excluded.sort_order
      WHERE status_page_monitors.sort_order <> excluded.sort_order RETURNING 1
    )
    SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM come) AS changed`.execute(tx);
  return Number(rows[0]?.changed ?? 0) > 0;
}

const taggedOn = ({ id, org_id, monitor_tags }: Tagged) => sql`
  SELECT m.no, (row_number() OVER (ORDER BY m.name, m.no))::int AS place FROM monitors m
  WHERE m.org_id = ${org_id} AND m.tags && ${monitor_tags}::text[] AND NOT EXISTS (SELECT FROM status_page_monitors x
    WHERE x.status_page_id = ${id} AND x.monitor_no = m.no AND NOT x.by_tag)
  ORDER BY m.name, m.no LIMIT greatest(0, ${MAX_MONITORS} - (SELECT count(*) FROM status_page_monitors x
    WHERE x.status_page_id = ${id} AND NOT x.by_tag))`;

/** The display settings for an organization's monitors with one of these tags, except for those that the page names. */
export async function shownByTag(tx: Tx, orgId: string, tags: readonly string[], named: readonly number[]) {
  const { rows } = await sql<{ no: number }>`
    SELECT no FROM monitors WHERE org_id = ${orgId} AND tags && ${[...tags]}::text[] AND no <> ALL(${[...named]}::int[])
    ORDER BY name, no LIMIT ${Math.max(0, MAX_MONITORS - named.length)}`.execute(tx);
  return rows.map(({ no }) => ({
    no,
    display_name: null,
    group_label: null,
    show_sparkline: true,
    show_uptime_bars: true,
    show_uptime_chart: true,
    uptime_window_days: DAYS,
  }));
}
