import { sql } from 'kysely';
import type { Work } from '../platform/work.ts';
import type { Claimed } from './claim.ts';
import { noticeEnded } from './ended.ts';
import { pauseAfter } from './retry.ts';

export type Tried = {
  /** Everything that was to be done is done, or can never be; false: another try, as long as there are any. */
  done: boolean;
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
export async function settleNotice(
  work: Work,
  claimed: Claimed,
  tried: Tried,
  random: number,
  tell = true,
): Promise<void> {
  const { tx, now } = work;
  const subscriptions = tried.reachedSubscriptions ?? [];
  const pause = tried.done ? null : pauseAfter(claimed.channel, claimed.attempt, random, tried.askedMs);
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
      reached = reached || ${[...subscriptions]}::text[],
      error = ${tried.error},
      next_attempt_at = CASE WHEN state = 'pending' THEN ${pause === null ? null : new Date(now.getTime() + pause)}::timestamptz END,
      finished_at = CASE WHEN ${ends} THEN ${now} ELSE finished_at END
    WHERE no = ${claimed.no} AND attempts = ${claimed.attempt}`.execute(tx);
}
