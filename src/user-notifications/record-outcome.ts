import { sql } from 'kysely';
import { pauseWhenNotTried } from '../domain/backoff.ts';
import type { Work } from '../platform/work.ts';
import type { Claimed } from './claim.ts';
import { noticeEnded } from './ended.ts';
import { pauseAfter } from './retry.ts';

export type NoticeResult = {
  /** Everything that was to be done is done, or can never be; false: another try, as long as there are any. */
  done: boolean;
  /** This machine had nothing left for it (descriptors, ports, memory): it was none, and costs no step of the schedule. */
  notTried?: boolean;
  /** A class and a status; null: nothing failed. */
  error: string | null;
  /** It got to the person in this try. */
  reached: boolean;
  /** Of web push: the subscriptions that took it. */
  reachedSubscriptions?: readonly string[];
  /** How long the other side asked to be left alone. */
  askedMs?: number | null;
};

/**
 * Writes down what came of a try. It is told as soon as the notice has reached anything of its person, or never will,
 * once (`tell` false: nobody is). A sender whose lease has run out meanwhile writes nothing: somebody else has taken over.
 */
export async function recordNoticeOutcome(
  work: Work,
  claimed: Claimed,
  tried: NoticeResult,
  random: number,
  tell = true,
): Promise<void> {
  const { tx, now } = work;
  const subscriptions = tried.reachedSubscriptions ?? [];
  const pause = pauseBefore(claimed, tried, random);
  const wasReached = claimed.reached.length > 0;
  const ok = wasReached || tried.reached;
  const ends = pause === null;
  const current = await tx
    .selectFrom('notices')
    .select(['attempts', 'state'])
    .where('no', '=', claimed.no)
    .executeTakeFirst();
  if (current?.attempts !== claimed.attempt) return;
  // The reactions take their locks (incidents) before this row's: whoever ends the alarm takes them in the same order.
  if (tell && ((tried.reached && !wasReached) || (ends && !ok && current.state === 'pending')))
    await noticeEnded.announce(work, {
      orgId: claimed.orgId,
      alarmNo: claimed.alarmNo,
      userId: claimed.userId,
      userName: claimed.userName,
      channel: claimed.channel,
      kind: claimed.kind,
      ok,
      error: ok ? null : tried.error,
      at: now,
    });
  // Cancelled while it was under way: sent all the same, or not tried again.
  await sql`
    UPDATE notices SET
      state = CASE WHEN ${ok && ends} THEN 'sent' WHEN state = 'pending' AND ${ends} THEN 'failed' ELSE state END,
      leased_until = NULL,
      attempts = attempts - ${tried.notTried ? 1 : 0},
      reached = reached || ${[...subscriptions]}::text[],
      error = ${tried.error},
      next_attempt_at = CASE WHEN state = 'pending' THEN ${pause === null ? null : new Date(now.getTime() + pause)}::timestamptz END,
      finished_at = CASE WHEN ${ends} THEN ${now} ELSE finished_at END
    WHERE no = ${claimed.no} AND attempts = ${claimed.attempt}`.execute(tx);
}

/** How long to wait before the next try, in milliseconds; null: there is none. */
function pauseBefore({ channel, attempt }: Claimed, tried: NoticeResult, random: number): number | null {
  if (tried.done) return null;
  return tried.notTried ? pauseWhenNotTried(random) : pauseAfter(channel, attempt, random, tried.askedMs);
}
