import { unix } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import type { Invitation } from './member-contract.ts';

export type InvitationRow = { id: string; email: string; role: string; expires_at: Date };

/** An invitation as the API shows it: neither its token nor the hash of it. */
export const showInvitation = ({ id, email, role, expires_at }: InvitationRow): Invitation => ({
  id,
  email,
  role,
  expires_at_unix: unix(expires_at),
});

/** Open invitations of an organization, in the order they were sent; one that has run out is no longer there. */
export async function listInvitations(db: Database, orgId: string, now: Date): Promise<Invitation[]> {
  const rows = await db
    .selectFrom('invitations')
    .select(['id', 'email', 'role', 'expires_at'])
    .where('org_id', '=', orgId)
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(showInvitation);
}
