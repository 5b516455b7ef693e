// The first proof of an address. Anybody can make an account for an address that is not theirs; whatever was left in it
// before its owner came opens nothing once they have come.
import { recordActivity } from '../activity/record.ts';
import { announcement } from '../platform/announcement.ts';
import type { Tx, Work } from '../platform/work.ts';
import type { RemovedAtFirstProof } from './contract.ts';
import { voidOpenSteps } from './open-steps.ts';

/** How many of each a first proof took away. */
export type Removed = RemovedAtFirstProof;

/** What a first proof did, for the letter to the owner. */
export type FirstProof = { userId: string; email: string; name: string; removed: Removed };

/** An address was proven for the first time: whoever keeps something that its account left takes it away and counts it. */
export const addressProven = announcement<{ userId: string; removed: Removed }>();

/**
 * Notes that the owner of the account's address is here: the only writer of `email_verified` of an account that exists.
 * The first time, every way into the account and everything that acts for it goes, in this transaction: passwords,
 * passkeys, second factor with its recovery codes, linked identities, sessions, open links and steps of sign-ins, browsers
 * that are pushed to, API keys it made, invitations it sent. `keepPassword`: the proof itself has just set it. Memberships
 * stay. What went is kept with the account until its owner has read it (`first-proof-read.ts`). null where the address was
 * proven before, which changes nothing.
 */
export async function proveAddress(
  work: Work,
  userId: string,
  { keepPassword }: { keepPassword: boolean },
): Promise<FirstProof | null> {
  const { tx, now } = work;
  const user = await tx
    .selectFrom('users')
    .select(['email', 'name', 'email_verified'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (!user || user.email_verified) return null;
  await tx
    .updateTable('users')
    .set({ email_verified: true, two_factor_enabled: false, updated_at: now })
    .where('id', '=', userId)
    .execute();
  await voidOpenSteps(tx, userId);
  // First of all: what is being added through one of them either is there already, or finds its session gone.
  const sessions = await removeOf(tx, 'sessions', userId);
  const removed: Removed = {
    passwords: keepPassword ? 0 : await removeAccounts(tx, userId, 'password'),
    passkeys: await removeOf(tx, 'passkeys', userId),
    authenticators: await removeOf(tx, 'two_factors', userId),
    identities: await removeAccounts(tx, userId, 'identity'),
    sessions,
    push_subscriptions: 0,
    api_keys: 0,
    invitations: 0,
  };
  await addressProven.announce(work, { userId, removed });
  if (Object.values(removed).some((count) => count > 0))
    await tx
      .updateTable('users')
      .set({ first_proof: JSON.stringify({ at: now, removed }) })
      .where('id', '=', userId)
      .execute();
  const name = user.name || user.email;
  await recordActivity(work, {
    orgId: null,
    action: 'account.address_prove',
    resource: { kind: 'account', id: userId, name },
    after: { removed },
  });
  return { userId, email: user.email, name, removed };
}

async function removeOf(
  tx: Tx,
  table: 'passkeys' | 'two_factors' | 'sessions',
  userId: string,
): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom(table).where('user_id', '=', userId).executeTakeFirst();
  return Number(numDeletedRows);
}

async function removeAccounts(tx: Tx, userId: string, which: 'password' | 'identity'): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('accounts')
    .where('user_id', '=', userId)
    .where('provider_id', which === 'password' ? '=' : '<>', 'credential')
    .executeTakeFirst();
  return Number(numDeletedRows);
}
