import { recordActivity } from '../activity/record.ts';
import type { Role } from '../domain/names.ts';
import { isId } from '../platform/ids.ts';
import { notFound } from '../platform/refusals.ts';
import type { Database, Work } from '../platform/work.ts';
import { type InvitationRow, showInvitation } from './list-invitations.ts';
import { isAbove } from './roles.ts';

const SHOWN = ['id', 'email', 'role', 'expires_at'] as const;

/** An open invitation of an organization; 404 for a spent, expired or foreign one. */
export async function openInvitationOf(
  db: Database,
  orgId: string,
  invitationId: string,
  now: Date,
): Promise<InvitationRow> {
  const row = await db
    .selectFrom('invitations')
    .select(SHOWN)
    .where('id', '=', invitationId)
    .where('org_id', '=', orgId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row ?? notFound('invitation');
}

/** Revokes an open invitation: its link is void with this commit. 404 for a spent, expired or foreign one. */
export async function revokeInvitation(work: Work, orgId: string, invitationId: string): Promise<void> {
  if (!isId('inv', invitationId)) notFound('invitation');
  const gone = await work.tx
    .deleteFrom('invitations')
    .where('id', '=', invitationId)
    .where('org_id', '=', orgId)
    .where('expires_at', '>', work.now)
    .returning(SHOWN)
    .executeTakeFirst();
  await recordRevoked(work, orgId, gone ?? notFound('invitation'));
}

/**
 * Revokes a person's invitations to roles above `most`, or all of them if that is null. Otherwise a removed member could
 * come back through their own invitation.
 */
export async function revokeInvitationsOf(
  work: Work,
  orgId: string,
  userId: string,
  most: Role | null,
): Promise<void> {
  const { tx } = work;
  const sent = await tx
    .selectFrom('invitations')
    .select(SHOWN)
    .where('org_id', '=', orgId)
    .where('invited_by_user_id', '=', userId)
    .execute();
  for (const invitation of sent.filter(({ role }) => most === null || isAbove(role as Role, most))) {
    await tx.deleteFrom('invitations').where('id', '=', invitation.id).execute();
    await recordRevoked(work, orgId, invitation);
  }
}

/** Revokes every open invitation that a person sent, in all organizations; answers how many. */
export async function revokeAllInvitationsOf(work: Work, userId: string): Promise<number> {
  const sent = await work.tx
    .deleteFrom('invitations')
    .where('invited_by_user_id', '=', userId)
    .returning(['org_id', ...SHOWN])
    .execute();
  for (const { org_id, ...invitation } of sent) await recordRevoked(work, org_id, invitation);
  return sent.length;
}

function recordRevoked(work: Work, orgId: string, invitation: InvitationRow): Promise<void> {
  return recordActivity(work, {
    orgId,
    action: 'invitation.revoke',
    resource: { kind: 'invitation', id: invitation.id, name: invitation.email },
    before: showInvitation(invitation),
  });
}
