// The first proof of an address. Anybody can make an account for an address that is not theirs, so nothing that was left
// in the account before its owner came may open it afterwards.
import { recordActivity } from '../activity/record.ts';
import { hook } from '../platform/hook.ts';
import type { Tx, Work } from '../platform/work.ts';
import type { RemovedAtFirstProof } from './contract.ts';
import { voidOpenSteps } from './open-steps.ts';

/** How many of each a first proof took away. */
export type Removed = RemovedAtFirstProof;

/** The effects of a first proof, for the letter to the owner. */
export type FirstProof = { userId: string; email: string; name: string; removed: Removed };

/** Announces that an address was proven for the first time. Reactions remove what the account left, and count it. */
export const addressProven = hook<{ userId: string; removed: Removed }>();

/**
 * Notes that the owner has proven the account's address; no other code sets `email_verified` of an existing account. The
 * first time it removes, in this transaction, every way into the account and everything that acts for it: passwords,
 * passkeys, second factor with its recovery codes, linked identities, sessions, open links and steps of sign-ins, browsers
 * that are pushed to, calendar addresses, links to wall displays, API keys it made, invitations it sent. `keepPassword`: the proof itself has just set it. Memberships
 * stay. The account keeps the counts until its owner has read them (`first-proof-read.ts`). Returns null, and changes
 * nothing, if the address was proven before.
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
  // Sessions go first: whatever one of them is adding either exists already, or finds its session gone.
  const sessions = await removeOf(tx, 'sessions', userId);
  const removed: Removed = {
    passwords: keepPassword ? 0 : await removeAccounts(tx, userId, 'password'),
    passkeys: await removeOf(tx, 'passkeys', userId),
    authenticators: await removeOf(tx, 'two_factors', userId),
    identities: await removeAccounts(tx, userId, 'identity'),
    sessions,
    push_subscriptions: 0,
    calendars: 0,
    wall_links: 0,
    api_keys: 0,
    invitations: 0,
  };
  await addressProven.run(work, { userId, removed });
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
