// Sign-up with mail: it does not reveal whether the address has an account, and makes none before the owner has followed the
// mailed link.

import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { browserLanguage } from '../platform/http/current-request.ts';
import type { Log } from '../platform/log.ts';
import type { Mail } from '../platform/mail/mail.ts';
import { refuse } from '../platform/refusals.ts';
import { randomToken } from '../platform/secrets.ts';
import type { Database } from '../platform/work.ts';
import { confirmMail, registeredMail } from './account-mails.ts';
import { hasAccount } from './claim-account.ts';
import { checkedEmail } from './create-user.ts';
import { passwordHash } from './password-hashing.ts';

const VALID_HOURS = 24;
/** Most open links per address, so that nobody can flood a mailbox through our form. */
const MAX_LINKS = 3;
const SHORTEST_PASSWORD = 8;
const LONGEST_PASSWORD = 128;

/** Where a link is mailed to whoever signs up. */
export type MailedSignUp = { db: Database; log: Log; clock: () => Date; baseUrl: string; mail: Mail };

/** The fields of the new account. */
export type PendingSignUp = { email: string; name: string; hash: string };

/**
 * Stores the fields of the account and mails the link that makes it. If the address has an account, its owner is mailed that
 * instead. Both cases take the same steps and give the same answer, even when no more mail is sent today.
 */
export async function mailVerificationLink(
  options: MailedSignUp,
  given: { email: unknown; password: unknown; name: string },
): Promise<{ token: null; user: null; mailed_to: string }> {
  const { db, log, clock, baseUrl, mail } = options;
  const email = checkedEmail(typeof given.email === 'string' ? given.email : '');
  const password = checkedPassword(given.password);
  const wanted: PendingSignUp = { email, name: given.name, hash: await passwordHash(password) };
  const token = randomToken(24);
  const slot = await keep(db, clock(), wanted, token);
  const isRegistered = await hasAccount(db, email, true);
  if (slot !== null) {
    // Of whoever asks: the language of the account, where there is one, would reveal it.
    const language = browserLanguage() ?? 'en';
    const content = isRegistered
      ? registeredMail(language, baseUrl)
      : confirmMail(language, `${baseUrl}/app/confirm-sign-up#token=${token}`, VALID_HOURS);
    // Not awaited: the time a mail takes would reveal the case. A link that was never sent does not count.
    void mail.send({ to: email, ...content }).catch(async (error: Error) => {
      log.warn({ err: error }, 'the mail of a sign-up could not be sent');
      await db.deleteFrom('verifications').where('id', '=', slot).execute();
    });
  }
  return { token: null, user: null, mailed_to: email };
}

/** The row it is kept in until it runs out, among the library's one-time values; null where all of the address are taken. */
async function keep(db: Database, now: Date, wanted: PendingSignUp, token: string): Promise<string | null> {
  const until = new Date(now.getTime() + VALID_HOURS * 3_600_000);
  for (const slot of slotsOf(wanted.email)) {
    const { rows } = await sql`
      INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at)
      VALUES (${slot}, ${identifierOf(token)}, ${JSON.stringify(wanted)}, ${until}, ${now}, ${now})
      ON CONFLICT (id) DO UPDATE SET identifier = excluded.identifier, value = excluded.value,
        expires_at = excluded.expires_at, created_at = excluded.created_at, updated_at = excluded.updated_at
      WHERE verifications.expires_at <= ${now}
      RETURNING id`.execute(db);
    if (rows.length > 0) return slot;
  }
  return null;
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
/** The identifier of a link's row. */
export const identifierOf = (token: string) => digest(`sign-up:${token}`);
/** The rows that links to an address can be in. */
export const slotsOf = (email: string) =>
  Array.from({ length: MAX_LINKS }, (_, no) => `sign-up_${digest(email)}_${no}`);

function checkedPassword(password: unknown): string {
  const length = typeof password === 'string' ? password.length : 0;
  if (length < SHORTEST_PASSWORD)
    refuse('invalid_request', `password must have at least ${SHORTEST_PASSWORD} characters.`, {
      field: 'password',
      reason: 'password_too_short',
    });
  if (length > LONGEST_PASSWORD)
    refuse('invalid_request', `password must have at most ${LONGEST_PASSWORD} characters.`, {
      field: 'password',
      reason: 'password_too_long',
    });
  return password as string;
}
