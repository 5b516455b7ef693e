import type { Database } from '../platform/work.ts';
import type { StatusPage } from './contract.ts';
import { showPage } from './row.ts';

/** Status pages of an organization, oldest first, without archived ones. */
export async function listStatusPages(db: Database, orgId: string): Promise<StatusPage[]> {
  const rows = await db
    .selectFrom('status_pages')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('archived_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(showPage);
}
