import { sql } from 'kysely';
import type { Page } from '../platform/http/page.ts';
import { notFound } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import type { AlertProfile } from './contract.ts';
import { selectProfiles, showProfile } from './profile-row.ts';

/** Alert profiles of an organization, oldest first; `before` is the last one of the previous page. */
export async function listProfiles(
  db: Database,
  orgId: string,
  { limit, before }: Page,
): Promise<AlertProfile[]> {
  let query = selectProfiles(db).where('org_id', '=', orgId);
  if (before !== null) {
    const from = await query.where('id', '=', before).executeTakeFirst();
    if (!from) return notFound('alert profile');
    query = query.where(sql<boolean>`(created_at, id) > (${from.created_at}, ${from.id})`);
  }
  const rows = await query.orderBy('created_at').orderBy('id').limit(limit).execute();
  return rows.map(showProfile);
}
