import { emailAddress } from '../domain/email-address.ts';
import { browserLanguage } from '../platform/http/current-request.ts';
import { newId } from '../platform/ids.ts';
import { refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';

export { passwordHash } from './password-hashing.ts';

export type NewUser = {
  email: string;
  name: string;
  passwordHash: string;
  operator: boolean;
  /** Whether the address was proven; default no. */
  emailVerified?: boolean;
};

/** The address as stored; throws `invalid_request` for one that nobody could sign in with. */
export function checkedEmail(email: string): string {
  return (
    emailAddress(email) ??
    refuse('invalid_request', 'email must be an e-mail address, in letters without accents.', {
      field: 'email',
    })
  );
}

/** Creates a user who signs in with e-mail and password. The e-mail must be free: a taken one is `invalid_request`. */
export async function createUser(work: Work, user: NewUser): Promise<string> {
  const id = newId('usr');
  const { tx, now } = work;
  const email = checkedEmail(user.email);
  const made = await tx
    .insertInto('users')
    .values({
      id,
      name: user.name,
      email,
      email_verified: user.emailVerified ?? false,
      operator: user.operator,
      language: browserLanguage(),
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made)
    refuse('invalid_request', 'email already belongs to an account; sign in instead.', { field: 'email' });
  await setFirstPassword(work, id, user.passwordHash);
  return id;
}

/** Gives a person without a password one. */
export async function setFirstPassword(
  { tx, now }: Work,
  userId: string,
  passwordHash: string,
): Promise<void> {
  await tx
    .insertInto('accounts')
    .values({
      id: newId('acc'),
      user_id: userId,
      account_id: userId,
      provider_id: 'credential',
      password: passwordHash,
      created_at: now,
      updated_at: now,
    })
    .execute();
}
