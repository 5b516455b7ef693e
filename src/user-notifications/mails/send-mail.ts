import { createHash } from 'node:crypto';
import type { Mail } from '#src/platform/mail/mail.ts';
import { MailFailure } from '#src/platform/mail/mail.ts';
import { PROBE_EXHAUSTED } from '#src/platform/outbound/failures.ts';
import type { Database } from '#src/platform/work.ts';
import { acknowledgeUrl, makeAcknowledgeLink } from '../acknowledge-links.ts';
import type { Claimed } from '../claim.ts';
import { WAKING_KINDS } from '../data.ts';
import type { NoticeResult } from '../record-outcome.ts';
import { mailOf } from './alarm-mail.ts';

export type MailNoticeOptions = {
  db: Database;
  clock: () => Date;
  /** null: none is configured. */
  mail: Mail | null;
  /** Where links lead, without a slash at the end. */
  baseUrl: string;
};

/**
 * One try of a notice by mail. A mail that asks somebody to take an alarm carries a link of its own for it. Network
 * errors, 4xx and a refused password (the operator mends that) are tried again, other 5xx are final.
 */
export async function sendMailNotice(options: MailNoticeOptions, claimed: Claimed): Promise<NoticeResult> {
  const { db, clock, mail, baseUrl } = options;
  if (mail === null) return { done: true, error: 'mail_not_configured', reached: false };
  const { orgId, userId, alarmNo } = claimed;
  const token =
    alarmNo !== null && WAKING_KINDS.includes(claimed.kind)
      ? await makeAcknowledgeLink(db, clock(), { orgId, userId, alarmNo })
      : null;
  const letter = mailOf(claimed, {
    organization: { id: orgId, name: claimed.orgName },
    baseUrl,
    acknowledgeUrl: token === null ? null : acknowledgeUrl(baseUrl, token),
  });
  try {
    await mail.send({ to: claimed.email, ...letter, ...namesOf(claimed, baseUrl) });
    return { done: true, error: null, reached: true };
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    const { failureClass, replyCode } = error;
    const isFinal =
      failureClass === 'bad_recipient' ||
      (replyCode !== null && replyCode >= 500 && failureClass !== 'smtp_auth');
    const said = replyCode === null ? failureClass : `${failureClass} ${replyCode}`;
    const notTried = failureClass === PROBE_EXHAUSTED;
    return { done: isFinal, notTried, error: said, reached: false };
  }
}

/**
 * The same name on every try, another for every notice, also after the database was made anew; all mails of an alarm in
 * one conversation.
 */
function namesOf({ no, createdAt, alarmNo }: Claimed, baseUrl: string): { name: string; thread?: string } {
  const hash = (text: string) => createHash('sha256').update(`${baseUrl} ${text}`).digest('hex').slice(0, 32);
  return {
    name: `notice.${hash(`notice ${no} ${createdAt.getTime()}`)}`,
    ...(alarmNo === null ? {} : { thread: `alarm.${hash(`alarm ${alarmNo}`)}` }),
  };
}
