import { createHash } from 'node:crypto';
import { outlastsAttempt } from '#src/domain/attempt-time.ts';
import type { Mail } from '#src/platform/mail/mail.ts';
import { MailFailure } from '#src/platform/mail/mail.ts';
import { PROBE_EXHAUSTED } from '#src/platform/outbound/failures.ts';
import type { Database } from '#src/platform/work.ts';
import { acknowledgeUrl, makeAcknowledgeLink } from '../acknowledge-links.ts';
import type { Claimed } from '../claim.ts';
import { CANCELLED_WITH_ALARM } from '../data.ts';
import { LATE, type NoticeResult } from '../record-outcome.ts';
import { mailOf } from './alarm-mail.ts';

export type MailNoticeOptions = {
  db: Database;
  clock: () => Date;
  /** null: no mail server is configured. */
  mail: Mail | null;
  /** Base address of links, without a slash at the end. */
  baseUrl: string;
};

/**
 * One attempt to send a notice by mail. A mail that wakes somebody contains a link to acknowledge the alarm. It is tried
 * again unless the server refuses this person or this message for good: whatever else it refuses, the operator can correct.
 */
export async function sendMailNotice(options: MailNoticeOptions, claimed: Claimed): Promise<NoticeResult> {
  const { db, clock, mail, baseUrl } = options;
  if (mail === null) return { done: true, error: 'mail_not_configured', reached: false };
  const { orgId, userId, alarmNo } = claimed;
  const token =
    alarmNo !== null && CANCELLED_WITH_ALARM.includes(claimed.kind)
      ? await makeAcknowledgeLink(db, clock(), { orgId, userId, alarmNo })
      : null;
  const content = mailOf(claimed, {
    organization: { id: orgId, name: claimed.orgName },
    language: claimed.language,
    baseUrl,
    acknowledgeUrl: token === null ? null : acknowledgeUrl(baseUrl, token),
  });
  if (!outlastsAttempt(claimed.leasedUntil, clock())) return LATE;
  try {
    await mail.send({ to: claimed.email, ...content, ...namesOf(claimed, baseUrl) });
    return { done: true, error: null, reached: true };
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    const { failureClass, replyCode, refused } = error;
    const isFinal = refused !== null;
    const said = replyCode === null ? failureClass : `${failureClass} ${replyCode}`;
    const notTried = failureClass === PROBE_EXHAUSTED;
    return { done: isFinal, notTried, error: said, reached: false };
  }
}

/**
 * The Message-ID is the same for every attempt and different for every notice, even after the database was created again.
 * All mails of one alarm form one conversation.
 */
function namesOf({ no, createdAt, alarmNo }: Claimed, baseUrl: string): { name: string; thread?: string } {
  const hash = (text: string) => createHash('sha256').update(`${baseUrl} ${text}`).digest('hex').slice(0, 32);
  return {
    name: `notice.${hash(`notice ${no} ${createdAt.getTime()}`)}`,
    ...(alarmNo === null ? {} : { thread: `alarm.${hash(`alarm ${alarmNo}`)}` }),
  };
}
