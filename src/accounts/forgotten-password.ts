// A forgotten password: a link by mail, or one that the operator makes for somebody who is locked out.

import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { newId } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import type { Mail } from '../platform/mail/mail.ts';
import { notFound } from '../platform/refusals.ts';
import { randomToken } from '../platform/secrets.ts';
import { type Database, runWork, type Work } from '../platform/work.ts';
import { resetMail } from './account-mails.ts';
import { type FirstProof, proveAddress } from './first-proof.ts';
import { mailOwner } from './first-proof-mail.ts';
import { languageOf } from './language-of.ts';
import { voidOpenSteps } from './open-steps.ts';
import type { SlowDown } from './slow-down.ts';

const VALID_SECONDS = 30 * 60;
/** Most open links per address, so that nobody can flood a mailbox through our form. */
const MAX_LINKS = 3;

type Person = { id: string; email: string; name: string };

export type ForgottenPasswordOptions = {
  db: Database;
  log: Log;
  clock: () => Date;
  baseUrl: string;
  mail: Mail | null;
  slowDown: SlowDown;
};

/** The library's options. The answer is the same whether or not the address has an account. */
export function forgottenPassword({ db, log, clock, baseUrl, mail, slowDown }: ForgottenPasswordOptions) {
  return {
    resetPasswordTokenExpiresIn: VALID_SECONDS,
    revokeSessionsOnPasswordReset: true,
    async onPasswordReset({ user }: { user: Person }) {
      const actor = { kind: 'user', id: user.id, name: user.name || user.email, address: null } as const;
      const proof = await runWork(db, clock(), actor, (work) => recordReset(work, user.id, actor.name));
      // Wrong tries from before the owner came do not count against the owner.
      await (proof ? slowDown.forget(user.email) : slowDown.forgive(user.email));
      void mailOwner({ db, log, mail, baseUrl }, proof);
    },
    ...(mail
      ? {
          async sendResetPassword({ user, token }: { user: Person; token: string }) {
            // A link that was never sent must not count, or repeated requests would keep the owner from ever getting one.
            if ((await openLinks(db, user.id)) > MAX_LINKS) {
              await voidLink(db, token);
              return;
            }
            await mail
              .send({ to: user.email, ...resetMail(await languageOf(db, user.id), linkOf(baseUrl, token)) })
              .catch(async (error: Error) => {
                log.warn({ err: error }, 'the mail of a forgotten password could not be sent');
                await voidLink(db, token);
              });
          },
        }
      : {}),
  };
}

/** The token follows the #, so it reaches no log and no other site. */
const linkOf = (baseUrl: string, token: string) => `${baseUrl}/app/new-password#token=${token}`;

/** The other one-time values of a person, steps of a sign-in, are valid for ten minutes. */
async function openLinks(db: Database, userId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM verifications
    WHERE value = ${userId} AND expires_at > now() AND expires_at - created_at > interval '20 minutes'`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

async function voidLink(db: Database, token: string): Promise<void> {
  await db.deleteFrom('verifications').where('identifier', '=', identifierOf(token)).execute();
}

/** As the library keeps it: storeIdentifier is `hashed`. */
const identifierOf = (token: string) =>
  createHash('sha256').update(`reset-password:${token}`).digest('base64url');

/** Following the link proves the address: it was mailed there, or the operator vouched for the person. */
async function recordReset(work: Work, userId: string, name: string): Promise<FirstProof | null> {
  await voidOpenSteps(work.tx, userId);
  const resource = { kind: 'account', id: userId, name };
  await recordActivity(work, { orgId: null, action: 'account.password_reset', resource });
  return proveAddress(work, userId, { keepPassword: true });
}

/**
 * Makes a link with which somebody sets a new password, once, within 30 minutes: for the operator's command line, where
 * no mail can be sent. 404 for an address without an account.
 */
export async function makePasswordResetLink(work: Work, baseUrl: string, email: string): Promise<string> {
  const address = email.trim().toLowerCase();
  const user = await work.tx
    .selectFrom('users')
    .select(['id', 'name'])
    .where('email', '=', address)
    .executeTakeFirst();
  if (!user) notFound('account');
  const token = randomToken(18);
  await work.tx
    .insertInto('verifications')
    .values({
      id: newId('ver'),
      identifier: identifierOf(token),
      value: user.id,
      expires_at: new Date(work.now.getTime() + VALID_SECONDS * 1000),
      created_at: work.now,
      updated_at: work.now,
    })
    .execute();
  const resource = { kind: 'account', id: user.id, name: user.name || address };
  await recordActivity(work, { orgId: null, action: 'account.password_link', resource });
  return linkOf(baseUrl, token);
}
