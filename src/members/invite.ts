import { checkedEmail } from '../accounts/create-user.ts';
import { recordActivity } from '../activity/record.ts';
import type { Role } from '../domain/names.ts';
import { lockLimits } from '../organizations/lock-limits.ts';
import { planLimits } from '../plans/plan.ts';
import { planUsage } from '../plans/usage.ts';
import { newId } from '../platform/ids.ts';
import { refuse } from '../platform/refusals.ts';
import { hashToken, randomToken } from '../platform/secrets.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import type { Invitation } from './contract.ts';
import { showInvitation } from './list-invitations.ts';
import { refuseGrantingAbove, refuseUnlessManaging, roleNow } from './roles.ts';

/** For how long an invitation is open. */
export const INVITATION_MS = 7 * 86_400_000;

export const newInvitationToken = (): string => randomToken(24);

/** An invitation just made. Its token exists here only; what is stored is a hash. */
export type Invited = { invitation: Invitation; token: string };

/**
 * Refuses with `plan_limit` when members and open invitations fill the seats of the plan (docs/rules/access.md#invitations).
 */
export async function refuseWithoutSeat(db: Database | Tx, orgId: string, now: Date): Promise<void> {
  const { seats } = await planLimits(db, orgId);
  if (seats === null) return;
  const used = (await planUsage(db, orgId, now)).seats;
  if (used < seats) return;
  refuse(
    'plan_limit',
    `The plan has ${seats} seats, and members and open invitations take all of them. ` +
      'Revoke an invitation, remove a member, or ask for a larger plan.',
    { field: 'seats', limit: seats },
  );
}

/**
 * Invites an address for 7 days. Refuses, in this order, with `forbidden` a role above the caller's own, with
 * `plan_limit` when no seat is free, with `invalid_request` an invalid address, with `already_member` and
 * `already_invited` (an open invitation; one that has run out is replaced).
 */
export async function invite(
  work: Work,
  orgId: string,
  callerId: string,
  { email: given, role }: { email: string; role: Role },
): Promise<Invited> {
  const { tx, now } = work;
  await lockLimits(tx, orgId);
  const own = await roleNow(tx, orgId, callerId);
  refuseUnlessManaging(own);
  refuseGrantingAbove(own, role);
  await refuseWithoutSeat(tx, orgId, now);
  const email = checkedEmail(given);
  await refuseKnown(tx, orgId, email, now);

  await tx.deleteFrom('invitations').where('org_id', '=', orgId).where('email', '=', email).execute();
  const token = newInvitationToken();
  const row = { id: newId('inv'), email, role, expires_at: new Date(now.getTime() + INVITATION_MS) };
  await tx
    .insertInto('invitations')
    .values({
      ...row,
      org_id: orgId,
      token_hash: hashToken(token),
      invited_by_user_id: callerId,
      created_at: now,
    })
    .execute();
  const invitation = showInvitation(row);
  await recordActivity(work, {
    orgId,
    action: 'invitation.create',
    resource: { kind: 'invitation', id: row.id, name: email },
    after: invitation,
  });
  return { invitation, token };
}

async function refuseKnown(tx: Tx, orgId: string, email: string, now: Date): Promise<void> {
  const member = await tx
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('users.id')
    .where('members.org_id', '=', orgId)
    .where('users.email', '=', email)
    .executeTakeFirst();
  if (member)
    refuse('already_member', `email ${email} already belongs to a member of this organization.`, {
      field: 'email',
    });
  const open = await tx
    .selectFrom('invitations')
    .select('id')
    .where('org_id', '=', orgId)
    .where('email', '=', email)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (open)
    refuse(
      'already_invited',
      `email ${email} already has an open invitation. Revoke it first to send another one.`,
      { field: 'email' },
    );
}
