import { refuse } from '../platform/refusals.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import { createUser, givePassword, type NewUser } from './create-user.ts';
import { type FirstProof, proveAddress } from './first-proof.ts';

/** Whether an address has an account: to whoever has just proven the address, one that nobody proved is none. */
export async function hasAccount(db: Database | Tx, email: string, proven: boolean): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('email_verified')
    .where('email', '=', email)
    .executeTakeFirst();
  return user !== undefined && (user.email_verified || !proven);
}

/**
 * Makes the account of an address, or takes over the one that was made for it before anybody proved it, emptied. Only
 * whoever has proven the address takes over (`emailVerified`). Refuses with `unauthenticated` where it has one already.
 */
export async function claimAccount(
  work: Work,
  account: NewUser,
): Promise<{ userId: string; proof: FirstProof | null }> {
  const { tx, now } = work;
  const { email, name, passwordHash, emailVerified = false } = account;
  const known = await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
  if (!known) return { userId: await createUser(work, account), proof: null };
  const proof = emailVerified ? await proveAddress(work, known.id, { keepPassword: false }) : null;
  if (!proof)
    refuse('unauthenticated', `${email} already has an account here. Sign in with it, then accept.`);
  await tx.updateTable('users').set({ name, updated_at: now }).where('id', '=', known.id).execute();
  await givePassword(work, known.id, passwordHash);
  return { userId: known.id, proof };
}
