// Follows the link that a sign-up mailed, and makes the account.
import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import type { Call } from '../platform/http/route.ts';
import type { Log } from '../platform/log.ts';
import type { Mail } from '../platform/mail/mail.ts';
import { refuse } from '../platform/refusals.ts';
import { signInNew } from './auth-routes.ts';
import { claimAccount, hasAccount } from './claim-account.ts';
import type { confirmSignUp } from './contract.ts';
import { mailOwner } from './first-proof-mail.ts';
import { passwordMatches } from './password-hashing.ts';
import type { SignIn } from './sign-in.ts';
import { identifierOf, type PendingSignUp, slotsOf } from './sign-up.ts';
import type { SlowDown } from './slow-down.ts';

/** Dependencies of making the account. */
export type Confirming = {
  signup: 'closed' | 'invite' | 'open';
  slowDown: SlowDown;
  mail: Mail | null;
  log: Log;
  baseUrl: string;
};

/**
 * Makes the account that the link was mailed for, with its address proven, and signs in. Requires the password of the
 * sign-up: otherwise the owner of an address could be tricked into an account whose password somebody else knows.
 */
export async function confirm(
  call: Call<typeof confirmSignUp>,
  signIn: SignIn,
  { signup, slowDown, mail, log, baseUrl }: Confirming,
): Promise<{ user_id: string }> {
  const { token, password } = call.body;
  if (signup !== 'open') refuse('forbidden', 'This installation no longer creates accounts.');
  const identifier = identifierOf(token);
  const kept = await call.db
    .selectFrom('verifications')
    .select('value')
    .where('identifier', '=', identifier)
    .where('expires_at', '>', call.now)
    .executeTakeFirst();
  if (!kept) return refuseLink();
  const { email, name, hash } = JSON.parse(kept.value) as PendingSignUp;
  if (!(await passwordMatches({ hash, password })))
    refuse('unauthenticated', 'This is not the password that was chosen at the sign-up.', {
      field: 'password',
      reason: 'invalid_password',
    });
  const { userId, proof } = await call.work(async (work) => {
    const { rows } =
      await sql`DELETE FROM verifications WHERE identifier = ${identifier} RETURNING id`.execute(work.tx);
    // The link was spent meanwhile, or the address got an account in another way, which stays as it is.
    if (rows.length === 0 || (await hasAccount(work.tx, email, true))) return refuseLink();
    await work.tx.deleteFrom('verifications').where('id', 'in', slotsOf(email)).execute();
    const account = { email, name, passwordHash: hash, operator: false, emailVerified: true };
    const claimed = await claimAccount(work, account);
    const resource = { kind: 'account', id: claimed.userId, name };
    const actor = { ...work.actor, kind: 'user', id: claimed.userId, name } as const;
    await recordActivity({ ...work, actor }, { orgId: null, action: 'account.create', resource });
    return claimed;
  });
  if (proof) await slowDown.forget(email);
  void mailOwner({ db: call.db, log, mail, baseUrl }, proof);
  await signInNew(signIn, call.request, call.reply, { email, password });
  return { user_id: userId };
}

const refuseLink = (): never =>
  refuse(
    'invalid_request',
    'The token of this link was used already, or it is too old. Sign in, or sign up once more.',
    {
      field: 'token',
      reason: 'invalid_token',
    },
  );
