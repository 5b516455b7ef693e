import { refuse } from '../platform/refusals.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import { createUser, type NewUser, setFirstPassword } from './create-user.ts';
import { type FirstProof, proveAddress } from './first-proof.ts';

/** Whether an address has an account. For a caller who has just proven the address, an unproven account does not count. */
export async function hasAccount(db: Database | Tx, email: string, proven: boolean): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('email_verified')
    .where('email', '=', email)
    .executeTakeFirst();
  return user !== undefined && (user.email_verified || !proven);
}

/**
 * Makes the account of an address, or empties and takes over one that nobody has proven. Only a caller who has proven the
 * address (`emailVerified`) takes over. Refuses with `unauthenticated` if the address has an account already.
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
  await setFirstPassword(work, known.id, passwordHash);
  return { userId: known.id, proof };
}
