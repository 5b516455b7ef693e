// The actions of a subscriber on the links in mails: confirm, change the choice, unsubscribe.
import { sql } from 'kysely';
import type { PageLanguage } from '#src/domain/names.ts';
import { refuse } from '#src/platform/refusals.ts';
import type { Database, Work } from '#src/platform/work.ts';
import { lockSubscribers, refuseFull } from './subscribe.ts';

export type Subscriber = {
  id: string;
  email: string;
  language: PageLanguage;
  pageId: string;
  pageName: string;
  slug: string;
  confirmed: boolean;
  /** Monitors of the page, by their public labels, and whether they are chosen; none while the page is not public. */
  monitors: { id: string; label: string; chosen: boolean }[];
  allMonitors: boolean;
};

/** A subscriber with the choice; null: deleted, or the page is archived. */
export async function readSubscriber(db: Database, id: string): Promise<Subscriber | null> {
  const { rows } = await sql<Subscriber>`
    SELECT s.id, s.email, s.language, p.id AS "pageId", p.name AS "pageName", p.slug, s.confirmed_at IS NOT NULL AS confirmed,
      s.all_monitors AS "allMonitors", coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', m.id, 'label', coalesce(x.display_name, m.name), 'chosen', c.subscriber_id IS NOT NULL)
          ORDER BY x.sort_order, x.monitor_no)
        FROM status_page_monitors x JOIN monitors m ON m.no = x.monitor_no
        LEFT JOIN status_page_subscriber_monitors c ON c.monitor_no = x.monitor_no AND c.subscriber_id = s.id
        WHERE x.status_page_id = p.id AND p.enabled AND p.access_mode <> 'draft'), '[]') AS monitors
    FROM status_page_subscribers s JOIN status_pages p ON p.id = s.status_page_id
    WHERE s.id = ${id} AND p.archived_at IS NULL`.execute(db);
  return rows[0] ?? null;
}

/** The address wants the mails. Does nothing if it was confirmed before. Refuses it if the page is full. */
export async function confirm({ tx, now }: Work, { id, pageId }: Subscriber): Promise<void> {
  await lockSubscribers(tx, pageId);
  const isNew = await tx
    .selectFrom('status_page_subscribers')
    .select('id')
    .where('id', '=', id)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  if (!isNew) return;
  await refuseFull(tx, pageId);
  await tx
    .updateTable('status_page_subscribers')
    .set({ confirmed_at: now })
    .where('id', '=', id)
    .where('confirmed_at', 'is', null)
    .execute();
}

/**
 * Chooses monitors of the page; null: everything. Refuses an empty choice, and monitors that the page does not show. Returns false
 * if the subscriber has been deleted meanwhile.
 */
export async function choose(
  { tx }: Work,
  subscriber: Subscriber,
  monitorIds: readonly string[] | null,
): Promise<boolean> {
  if (monitorIds !== null && monitorIds.length === 0)
    refuse('invalid_request', 'monitors must name at least one monitor of the page.', { field: 'monitors' });
  const known = new Set(subscriber.monitors.map(({ id }) => id));
  const strange = monitorIds?.find((id) => !known.has(id));
  if (strange !== undefined)
    refuse('invalid_request', 'monitors names one that is not on the page.', { field: 'monitors' });
  const { numUpdatedRows } = await tx
    .updateTable('status_page_subscribers')
    .set({ all_monitors: monitorIds === null })
    .where('id', '=', subscriber.id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await tx.deleteFrom('status_page_subscriber_monitors').where('subscriber_id', '=', subscriber.id).execute();
  if (monitorIds !== null)
    await sql`INSERT INTO status_page_subscriber_monitors (subscriber_id, monitor_no)
      SELECT ${subscriber.id}, no FROM monitors WHERE id = ANY(${[...new Set(monitorIds)]}::text[]) FOR KEY SHARE`.execute(
      tx,
    );
  return true;
}

/** Deletes the subscription with all its data. */
export async function unsubscribe({ tx }: Work, id: string): Promise<void> {
  await tx.deleteFrom('status_page_subscribers').where('id', '=', id).execute();
}
