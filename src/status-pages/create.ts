import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { checkedName } from '../platform/checked-name.ts';
import type { BodyOf } from '../platform/contract.ts';
import { newId } from '../platform/ids.ts';
import type { Work } from '../platform/work.ts';
import { announcePage } from './changed.ts';
import type { createStatusPage as contract, StatusPage } from './contract.ts';
import { showPage } from './row.ts';
import { checkedSlug, refuseSlug } from './slug.ts';

/**
 * Creates a status page as a draft. The slug is normalized, or derived from the name. Refuses a slug that normalizes to nothing
 * (400 `empty_slug`), one that looks like a part of the installation (409 `slug_reserved`), and one that another page of the
 * installation has (409 `slug_taken`).
 */
export async function createStatusPage(
  work: Work,
  orgId: string,
  { name: given, slug: wanted }: BodyOf<typeof contract>,
): Promise<StatusPage> {
  const name = checkedName(given);
  const field = wanted == null || wanted === '' ? 'name' : 'slug';
  const slug = checkedSlug(field === 'slug' ? (wanted ?? '') : name, field);
  const row = await work.tx
    .insertInto('status_pages')
    .values({ id: newId('stp'), org_id: orgId, name, slug, created_at: work.now })
    // A literal: with a parameter PostgreSQL would not recognize the condition of the index.
    .onConflict((conflict) => conflict.column('slug').where('archived_at', 'is', sql.lit(null)).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) refuseSlug(slug, field);
  const page = showPage(row);
  await announcePage(work, page.id);
  await recordActivity(work, {
    orgId,
    action: 'status_page.create',
    resource: { kind: 'status_page', id: page.id, name },
    after: page,
  });
  return page;
}
