// Accepts an invitation, for the holder of its token (docs/rules/access.md#invitations).
import { sql } from 'kysely';
import { hasAccount } from '../accounts/claim-account.ts';
import { recordActivity } from '../activity/record.ts';
import type { PageLanguage } from '../domain/names.ts';
import { lockLimits } from '../organizations/lock-limits.ts';
import type { ReplyOf } from '../platform/contract.ts';
import { refuse } from '../platform/refusals.ts';
import { hashToken } from '../platform/secrets.ts';
import { unix } from '../platform/unix.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import type { acceptInvitation, lookUpInvitation } from './contract.ts';
import { showInvitation } from './list-invitations.ts';
import { findMember } from './list-members.ts';

/** 404 for an unknown, spent, revoked or expired token, without saying which. */
function noInvitation(): never {
  return refuse(
    'not_found',
    'This invitation is not valid: it was accepted or revoked, or has expired. Ask for a new one.',
  );
}

/** The open invitation behind a token; 404 when there is none. */
export async function openInvitation(db: Database | Tx, token: string, now: Date) {
  const row = await db
    .selectFrom('invitations')
    .select(['id', 'org_id', 'email', 'role', 'mailed', 'expires_at', 'invited_by_user_id'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row ?? noInvitation();
}

export type OpenInvitation = Awaited<ReturnType<typeof openInvitation>>;

/** The contents of an invitation, for the holder of its token. */
export async function lookUp(
  db: Database,
  token: string,
  now: Date,
): Promise<ReplyOf<typeof lookUpInvitation>> {
  const invitation = await openInvitation(db, token, now);
  const { name } = await db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', invitation.org_id)
    .executeTakeFirstOrThrow(noInvitation);
  const by = invitation.invited_by_user_id
    ? await db
        .selectFrom('users')
        .select(sql<string>`coalesce(nullif(name, ''), email)`.as('name'))
        .where('id', '=', invitation.invited_by_user_id)
        .executeTakeFirst()
    : undefined;
  return {
    organization_name: name,
    invited_by: by?.name ?? null,
    email: invitation.email,
    role: invitation.role,
    expires_at_unix: unix(invitation.expires_at),
    has_account: await hasAccount(db, invitation.email, invitation.mailed),
  };
}

/** Spends an invitation; the second of two concurrent acceptances gets 404. Call it first in the unit of work. */
export async function spendInvitation({ tx, now }: Work, { id, org_id }: OpenInvitation): Promise<void> {
  await lockLimits(tx, org_id);
  const spent = await tx
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst();
  if (!spent) noInvitation();
}

/**
 * Makes the user a member by an invitation that was just spent. Refuses with `already_member` a user who has become one
 * meanwhile. Its seat was counted when the invitation was made.
 */
export async function joinBy(
  work: Work,
  invitation: OpenInvitation,
  userId: string,
): Promise<ReplyOf<typeof acceptInvitation>> {
  const { tx, now } = work;
  const { id, org_id: orgId, email, role } = invitation;
  const joined = await tx
    .insertInto('members')
    .values({ org_id: orgId, user_id: userId, role, joined_at: now })
    .onConflict((conflict) => conflict.columns(['org_id', 'user_id']).doNothing())
    .returning('user_id')
    .executeTakeFirst();
  if (!joined) refuse('already_member', 'You are already a member of this organization.');
  await recordActivity(work, {
    orgId,
    action: 'invitation.accept',
    resource: { kind: 'invitation', id, name: email },
    before: showInvitation(invitation),
    after: await findMember(tx, orgId, userId),
  });
  const organization = await tx
    .selectFrom('organizations')
    .select(['id', 'name', 'slug', 'language'])
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
  return { organization: { ...organization, language: organization.language as PageLanguage }, role };
}
