import { recordActivity } from '../activity/record.ts';
import { lockLimits } from '../organizations/lock-limits.ts';
import { hook } from '../platform/hook.ts';
import type { Work } from '../platform/work.ts';
import { refuseLastOwner } from './last-owner.ts';
import { findMember } from './list-members.ts';
import { revokeInvitationsOf } from './revoke-invitation.ts';
import { refuseChangingAbove, refuseUnlessManaging, roleNow } from './roles.ts';

/** Announces that a member was removed together with the API keys they made in the organization. */
export const keysGoWithMember = hook<{ orgId: string; userId: string }>();

/** Announces that a member was removed, in the unit of work that does so. */
export const memberRemoved = hook<{ orgId: string; userId: string }>();

/**
 * Removes a member; people who remove themselves leave. Refuses with 404 a person who is not a member, with `forbidden`
 * one with a higher role, with `last_owner` the only owner. From this commit on every request of theirs is refused
 * (roles are read per request), their live streams end within seconds, and their open invitations are void. API keys
 * stay: they are the organization's, whoever made them; with `revokeKeys` those that this member made are revoked,
 * which owners and admins may ask for (`forbidden`).
 */
export async function removeMember(
  work: Work,
  orgId: string,
  callerId: string,
  userId: string,
  { revokeKeys = false }: { revokeKeys?: boolean | undefined } = {},
): Promise<void> {
  const { tx } = work;
  await lockLimits(tx, orgId);
  const own = await roleNow(tx, orgId, callerId);
  const isLeaving = callerId === userId;
  // The right to manage members includes the right to revoke keys.
  if (!isLeaving || revokeKeys) refuseUnlessManaging(own);
  const before = await findMember(tx, orgId, userId);
  refuseChangingAbove(own, before.role);
  if (before.role === 'owner') await refuseLastOwner(tx, orgId);

  await tx.deleteFrom('members').where('org_id', '=', orgId).where('user_id', '=', userId).execute();
  await revokeInvitationsOf(work, orgId, userId, null);
  await memberRemoved.run(work, { orgId, userId });
  if (revokeKeys) await keysGoWithMember.run(work, { orgId, userId });
  await recordActivity(work, {
    orgId,
    action: isLeaving ? 'member.leave' : 'member.remove',
    resource: { kind: 'member', id: userId, name: before.name },
    before,
  });
}
