// The members of an imported organization: people with an account here join, the others get invitations.
import { INVITATION_MS, newInvitationToken } from '../members/invite.ts';
import { newId } from '../platform/ids.ts';
import { hashToken } from '../platform/secrets.ts';
import type { Work } from '../platform/work.ts';
import type { DataOf } from './format.ts';

export type Invited = { email: string; role: string; token: string };
export type People = {
  /** Users of this installation by address; members of the organization only. */
  userIds: Map<string, string>;
  invited: Invited[];
  /** The operator's address, if nobody else could own it. */
  ownedBy: string | null;
};

/**
 * Creates members and invitations; scan-lines.ts has checked the addresses. Throws if there would be no owner and the
 * installation has no operator.
 */
export async function importPeople(
  { tx, now }: Work,
  orgId: string,
  members: readonly DataOf<'member'>[],
  invitations: readonly DataOf<'invitation'>[],
): Promise<People> {
  const addresses = members.map(({ email }) => email);
  const users = await tx
    .selectFrom('users')
    .select(['id', 'email'])
    .where('email', 'in', addresses.length > 0 ? addresses : [''])
    // An address that nobody proved belongs to nobody: its account gets an invitation, like people without an account.
    .where('email_verified', '=', true)
    .execute();
  const userIds = new Map(users.map(({ id, email }) => [email, id]));
  const join = (user_id: string, role: string, joined_at: Date | string) =>
    tx.insertInto('members').values({ org_id: orgId, user_id, role, joined_at }).execute();

  const known_as = members.flatMap(({ user_id, email }) =>
    user_id === undefined ? [] : { org_id: orgId, user_id, email },
  );
  if (known_as.length > 0)
    await tx
      .insertInto('imported_people')
      .values(known_as)
      .onConflict((conflict) => conflict.doNothing())
      .execute();

  let hasOwner = false;
  const invited: Invited[] = [];
  for (const { email, role, joined_at } of members) {
    const userId = userIds.get(email);
    if (userId) await join(userId, role, joined_at);
    else invited.push({ email, role, token: newInvitationToken() });
    hasOwner ||= userId !== undefined && role === 'owner';
  }
  const ownedBy = hasOwner ? null : await operatorOwns();

  const known = new Set([...userIds.keys(), ...invited.map(({ email }) => email)]);
  for (const { email, role, expires_at } of invitations)
    if (!known.has(email) && new Date(expires_at) > now)
      invited.push({ email, role, token: newInvitationToken() });
  for (const { email, role, token } of invited)
    await tx
      .insertInto('invitations')
      .values({
        id: newId('inv'),
        org_id: orgId,
        email,
        role,
        token_hash: hashToken(token),
        created_at: now,
        expires_at: new Date(now.getTime() + INVITATION_MS),
      })
      .execute();
  return { userIds, invited, ownedBy };

  async function operatorOwns(): Promise<string> {
    const operator = await tx
      .selectFrom('users')
      .select(['id', 'email'])
      .where('operator', '=', true)
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst();
    if (!operator)
      throw new Error(
        'Nobody could own the organization: none of its owners has an account here, and this installation has no first ' +
          'user yet. Start it, create one, and import again. Nothing was imported.',
      );
    if (userIds.has(operator.email))
      await tx
        .updateTable('members')
        .set({ role: 'owner' })
        .where('org_id', '=', orgId)
        .where('user_id', '=', operator.id)
        .execute();
    else await join(operator.id, 'owner', now);
    return operator.email;
  }
}
