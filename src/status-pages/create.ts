import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { slugFrom } from '../domain/slug.ts';
import { checkedName } from '../platform/checked-name.ts';
import type { BodyOf } from '../platform/contract.ts';
import { newId } from '../platform/ids.ts';
import { refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import type { createStatusPage as contract, StatusPage } from './contract.ts';
import { showPage } from './row.ts';

const RESERVED = new Set(
  'api app admin docs public status assets auth probe agent heartbeat ack healthz readyz metrics'.split(' '),
);

/**
 * Creates a status page as a draft. The slug is normalized, or derived from the name. Refuses a slug that normalizes to
 * nothing (400 `empty_slug`), one that would read as a part of the installation (409 `slug_reserved`), and one that another page of
 * the installation has (409 `slug_taken`).
 */
export async function createStatusPage(
  work: Work,
  orgId: string,
  { name: given, slug: wanted }: BodyOf<typeof contract>,
): Promise<StatusPage> {
  const name = checkedName(given);
  const field = wanted == null || wanted === '' ? 'name' : 'slug';
  const slug = slugFrom(field === 'slug' ? (wanted ?? '') : name);
  if (slug === '')
    refuse(
      'empty_slug',
      `${field} must contain a letter or a digit that can be written as a to z or 0 to 9.`,
      {
        field,
      },
    );
  if (RESERVED.has(slug))
    refuse(
      'slug_reserved',
      `${field} gives the slug ${slug}, which is reserved: its address would read as a part of the installation. Give another slug.`,
      { field },
    );
  const row = await work.tx
    .insertInto('status_pages')
    .values({ id: newId('stp'), org_id: orgId, name, slug, created_at: work.now })
    // A literal: a parameter would not be recognized as the condition of the index.
    .onConflict((conflict) => conflict.column('slug').where('archived_at', 'is', sql.lit(null)).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row)
    refuse('slug_taken', `${field} gives the slug ${slug}, which another status page already has.`, {
      field,
    });
  const page = showPage(row);
  await recordActivity(work, {
    orgId,
    action: 'status_page.create',
    resource: { kind: 'status_page', id: page.id, name },
    after: page,
  });
  return page;
}
