import { recordActivity } from '../activity/record.ts';
import { lockLimits } from '../organizations/lock-limits.ts';
import type { BodyOf } from '../platform/contract.ts';
import { refuseChangedReadOnly } from '../platform/read-only.ts';
import type { Work } from '../platform/work.ts';
import type { Member, updateMember as operation } from './contract.ts';
import { refuseLastOwner } from './last-owner.ts';
import { findMember } from './list-members.ts';
import { revokeInvitationsOf } from './revoke-invitation.ts';
import {
  managesMembers,
  refuseChangingAbove,
  refuseGrantingAbove,
  refuseUnlessManaging,
  roleNow,
} from './roles.ts';

/**
 * Changes the role of a member. Refuses with 404 a person who is not a member, with `forbidden` a role above the
 * caller's own (to give or to take), with `last_owner` the demotion of the only owner. Revokes the person's open
 * invitations to roles that they can no longer grant.
 */
export async function updateMember(
  work: Work,
  orgId: string,
  callerId: string,
  userId: string,
  body: BodyOf<typeof operation>,
): Promise<Member> {
  const { tx } = work;
  await lockLimits(tx, orgId);
  const own = await roleNow(tx, orgId, callerId);
  refuseUnlessManaging(own);
  const before = await findMember(tx, orgId, userId);
  const { role, ...readOnly } = body;
  refuseChangingAbove(own, before.role);
  refuseGrantingAbove(own, role);
  refuseChangedReadOnly(readOnly, before);
  if (role === before.role) return before;
  if (before.role === 'owner') await refuseLastOwner(tx, orgId);

  const after = { ...before, role };
  await tx
    .updateTable('members')
    .set({ role })
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .execute();
  await revokeInvitationsOf(work, orgId, userId, managesMembers(role) ? role : null);
  await recordActivity(work, {
    orgId,
    action: 'member.update',
    resource: { kind: 'member', id: userId, name: before.name },
    before,
    after,
  });
  return after;
}
