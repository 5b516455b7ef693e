import { recordActivity } from '../activity/record.ts';
import { notFound } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import { announcePage } from './changed.ts';
import { showPage } from './row.ts';

/**
 * Archives a status page: it disappears from lists and incident links, and its slug is free again. 404 if it is archived
 * already.
 */
export async function archiveStatusPage(work: Work, pageId: string): Promise<void> {
  const row = await work.tx
    .updateTable('status_pages')
    .set({ archived_at: work.now })
    .where('id', '=', pageId)
    .where('archived_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!row) return notFound('status page');
  // Its domains are free for others, and no edge serves them any longer.
  await work.tx.deleteFrom('status_page_domains').where('status_page_id', '=', pageId).execute();
  await announcePage(work, row.id);
  await recordActivity(work, {
    orgId: row.org_id,
    action: 'status_page.archive',
    resource: { kind: 'status_page', id: row.id, name: row.name },
    before: showPage(row),
  });
}
