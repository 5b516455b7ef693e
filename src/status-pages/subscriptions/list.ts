import { sql } from 'kysely';
import { recordActivity } from '#src/activity/record.ts';
import { isId } from '#src/platform/ids.ts';
import { notFound } from '#src/platform/refusals.ts';
import { unix, unixOrNull } from '#src/platform/unix.ts';
import type { Database, Work } from '#src/platform/work.ts';
import type { Subscriber } from './contract.ts';

type Row = {
  id: string;
  email: string;
  language: string;
  created_at: Date;
  confirmed_at: Date | null;
  monitors: string[] | null;
};

/** Subscribers of a page, newest first, before the given one; 404 for one of another page. */
export async function listSubscribers(
  db: Database,
  pageId: string,
  { limit, before }: { limit: number; before: string | null },
): Promise<Subscriber[]> {
  if (before !== null && !(await isSubscriber(db, pageId, before))) return notFound('subscriber');
  const { rows } = await sql<Row>`
    SELECT s.id, s.email, s.language, s.created_at, s.confirmed_at, CASE WHEN NOT s.all_monitors THEN ARRAY(
      SELECT m.id FROM status_page_subscriber_monitors c JOIN monitors m ON m.no = c.monitor_no
      WHERE c.subscriber_id = s.id ORDER BY m.id) END AS monitors
    FROM status_page_subscribers s
    WHERE s.status_page_id = ${pageId} ${before === null ? sql`` : sql`AND s.id < ${before}`}
    ORDER BY s.id DESC LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    language: row.language,
    created_at_unix: unix(row.created_at),
    confirmed_at_unix: unixOrNull(row.confirmed_at),
    monitors: row.monitors,
  }));
}

async function isSubscriber(db: Database, pageId: string, id: string): Promise<boolean> {
  if (!isId('sub', id)) return false;
  const row = await db
    .selectFrom('status_page_subscribers')
    .select('id')
    .where('id', '=', id)
    .where('status_page_id', '=', pageId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes a subscriber of the page; 404 for another page's. The activity log does not store the address. */
export async function deleteSubscriber(work: Work, pageId: string, subscriberId: string): Promise<void> {
  const { rows } = await sql<{ org_id: string; name: string }>`
    WITH gone AS (
      DELETE FROM status_page_subscribers WHERE id = ${subscriberId} AND status_page_id = ${pageId} RETURNING status_page_id
    ) SELECT p.org_id, p.name FROM gone JOIN status_pages p ON p.id = gone.status_page_id`.execute(work.tx);
  const [page] = rows;
  if (!page) return notFound('subscriber');
  await recordActivity(work, {
    orgId: page.org_id,
    action: 'status_page.delete_subscriber',
    resource: { kind: 'status_page', id: pageId, name: page.name },
    before: { subscriber_id: subscriberId },
  });
}
