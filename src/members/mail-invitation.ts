// Sends an invitation after it is committed: save, then send.
import { sql } from 'kysely';
import { DAY_MS } from '../domain/durations.ts';
import type { PageLanguage } from '../domain/names.ts';
import { advisoryLock } from '../platform/db/advisory-lock.ts';
import type { Log } from '../platform/log.ts';
import { type Mail, MailFailure } from '../platform/mail/mail.ts';
import { refuse } from '../platform/refusals.ts';
import { hashToken } from '../platform/secrets.ts';
import type { Database, Work } from '../platform/work.ts';
import { invitationMail } from './invitation-mail.ts';
import type { Invited } from './invite.ts';

export type InvitationMailOptions = {
  /** null: no mail can be sent. */
  mail: Mail | null;
  /** Where the link leads, without a slash at the end. */
  baseUrl: string;
  log: Log;
};

/** Most mails a day from an organization, and from a person over all organizations, against mail bombing. */
const MAILS_A_DAY = 20;
/** Most mails a day to one address, whoever invites it. */
const MAILS_A_DAY_TO_AN_ADDRESS = 5;

/**
 * Takes one of the 20 invitation mails that an organization has in any 24 hours, one of the person's, and one of the 5
 * that an address gets. Refuses with `rate_limited` when none is left, until the oldest that counts is a day old. It
 * runs before sending, in the unit of work of the invitation, so that simultaneous requests cannot exceed the limit and
 * no invitation is created that cannot be mailed.
 */
export async function takeMail(work: Work, orgId: string, userId: string, address: string): Promise<void> {
  const { tx, now } = work;
  const hash = hashToken(address.toLowerCase());
  // The organization's own lock is held by the invitation (lockLimits).
  for (const one of [userId, `to ${hash.toString('hex')}`]) await advisoryLock(tx, `invitation mails ${one}`);
  const since = new Date(now.getTime() - DAY_MS);
  // The last of these is the one that has to expire first.
  const { rows } = await sql<{ at: Date }>`
    SELECT max(at) AS at FROM (
      (SELECT at FROM invitation_mails WHERE org_id = ${orgId} AND at > ${since}
       ORDER BY at DESC OFFSET ${MAILS_A_DAY - 1} LIMIT 1)
      UNION ALL
      (SELECT at FROM invitation_mails WHERE user_id = ${userId} AND at > ${since}
       ORDER BY at DESC OFFSET ${MAILS_A_DAY - 1} LIMIT 1)
      UNION ALL
      (SELECT at FROM invitation_mails WHERE address_hash = ${hash} AND at > ${since}
       ORDER BY at DESC OFFSET ${MAILS_A_DAY_TO_AN_ADDRESS - 1} LIMIT 1)) full_days
    HAVING max(at) IS NOT NULL`.execute(tx);
  const [full] = rows;
  if (full)
    refuse(
      'rate_limited',
      `No more than ${MAILS_A_DAY} invitations of yours, and ${MAILS_A_DAY_TO_AN_ADDRESS} to one address, are mailed within a day, so that nobody is flooded. Try again later.`,
      {
        reason: 'invitation_mails',
        retryAfterSeconds: Math.ceil((full.at.getTime() + DAY_MS - now.getTime()) / 1000),
      },
    );
  await sql`
    INSERT INTO invitation_mails (user_id, org_id, address_hash, at)
    VALUES (${userId}, ${orgId}, ${hash}, ${now})`.execute(tx);
}

/**
 * Gives back the mail that was taken at `at`, where the mail server could not be reached or refused us, and not the address: that is no
 * reason to invite nobody for a day.
 */
export async function giveMailBack(
  db: Database,
  { orgId, userId, address, at }: { orgId: string; userId: string; address: string; at: Date },
  failure: MailFailure,
): Promise<void> {
  if (failure.refused !== null) return;
  await sql`
    DELETE FROM invitation_mails WHERE ctid = (SELECT ctid FROM invitation_mails WHERE org_id = ${orgId}
      AND user_id = ${userId} AND address_hash = ${hashToken(address.toLowerCase())} AND at = ${at} LIMIT 1)`.execute(
    db,
  );
}

/** Forgets mails that no longer count. */
export async function forgetOldMails(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - DAY_MS);
  await sql`DELETE FROM invitation_mails WHERE at <= ${before}`.execute(db);
}

/** Mails an invitation; false when that failed, which is logged without the token. `counted`: as which mail it counts. */
export async function mailInvitation(
  db: Database,
  { mail, baseUrl, log }: InvitationMailOptions,
  { invitation, token }: Invited,
  counted: { orgId: string; userId: string; at: Date },
): Promise<boolean> {
  if (!mail) return false;
  const about = await db
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.org_id')
    .innerJoin('users', 'users.id', 'invitations.invited_by_user_id')
    .leftJoin('users as invited', 'invited.email', 'invitations.email')
    .select(['organizations.name as organization', 'users.name', 'users.email'])
    .select(({ fn }) => fn.coalesce('invited.language', 'organizations.language').as('language'))
    .where('invitations.id', '=', invitation.id)
    .executeTakeFirst();
  // Revoked in the meantime: nothing to send, and the token is void.
  if (!about) return false;
  const link = `${baseUrl}/app/invitation#token=${token}`;
  const by = { name: about.name, email: about.email };
  const language = about.language as PageLanguage;
  const message = invitationMail({ invitation, organization: about.organization, by, link, language });
  try {
    await mail.send({ to: invitation.email, ...message });
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    log.warn(
      { invitation_id: invitation.id, failure_class: error.failureClass, reason: error.message },
      'an invitation could not be mailed; the inviter was given the token to share',
    );
    await giveMailBack(db, { ...counted, address: invitation.email }, error);
    return false;
  }
  // The mail is sent in any case. Without the mark, accepting the invitation merely does not prove the address.
  await db
    .updateTable('invitations')
    .set({ mailed: true })
    .where('id', '=', invitation.id)
    .execute()
    .catch((error: unknown) =>
      log.warn({ err: error, invitation_id: invitation.id }, 'a mail was sent but not recorded'),
    );
  return true;
}
