import type { Database } from '../platform/work.ts';
import type { ListedStatusPage } from './contract.ts';
import { showPage } from './row.ts';

/** Status pages of an organization, oldest first, without archived ones. */
export async function listStatusPages(db: Database, orgId: string): Promise<ListedStatusPage[]> {
  const rows = await db
    .selectFrom('status_pages')
    .selectAll()
    .select(({ selectFrom, fn }) =>
      selectFrom('status_page_monitors')
        .select(fn.countAll<string>().as('count'))
        .whereRef('status_page_monitors.status_page_id', '=', 'status_pages.id')
        .as('monitors'),
    )
    .where('org_id', '=', orgId)
    .where('archived_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...showPage(row), monitor_count: Number(row.monitors) }));
}
