import { sql } from 'kysely';
import type { Page } from '../platform/http/page.ts';
import { notFound } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import type { Invitation } from './contract.ts';

export type InvitationRow = { id: string; email: string; role: string; expires_at: Date };

/** An invitation as the API shows it: neither its token nor the hash of it. */
export const showInvitation = ({ id, email, role, expires_at }: InvitationRow): Invitation => ({
  id,
  email,
  role,
  expires_at_unix: unix(expires_at),
});

/** Open invitations of an organization, in the order they were sent, without expired ones. */
export async function listInvitations(
  db: Database,
  orgId: string,
  now: Date,
  { limit, before }: Page,
): Promise<Invitation[]> {
  let query = db
    .selectFrom('invitations')
    .select(['id', 'email', 'role', 'expires_at'])
    .where('org_id', '=', orgId)
    .where('expires_at', '>', now);
  if (before !== null) {
    const from = await query.select('created_at').where('id', '=', before).executeTakeFirst();
    if (!from) return notFound('invitation');
    query = query.where(sql<boolean>`(created_at, id) > (${from.created_at}, ${from.id})`);
  }
  const rows = await query.orderBy('created_at').orderBy('id').limit(limit).execute();
  return rows.map(showInvitation);
}
