import { sql } from 'kysely';
import { pauseWhenNotTried } from '../domain/backoff.ts';
import { afterCommit, type Work } from '../platform/work.ts';
import type { Claimed } from './claim.ts';
import { noticeEnded } from './ended.ts';
import { countNotice } from './metrics.ts';
import { pauseAfter } from './retry.ts';

export type NoticeResult = {
  /** Nothing is left to do, or it can never be done; false: try again, as long as attempts are left. */
  done: boolean;
  /** This machine lacked descriptors, ports or memory, or its database: nothing was sent, and the attempt does not count. */
  notTried?: boolean;
  /** Nor was it sent because the lease could have run out meanwhile: it is given back at once. */
  late?: boolean;
  /** A class and a status; null: nothing failed. */
  error: string | null;
  /** This attempt reached the person. */
  reached: boolean;
  /** The push subscriptions that accepted it. */
  reachedSubscriptions?: readonly string[];
  /** The pause that the receiver asked for. */
  askedMs?: number | null;
};

export const LATE: NoticeResult = { done: false, notTried: true, late: true, error: 'late', reached: false };

/** Another sender has taken over, or the outcome is recorded already: what reactions have written for it is rolled back. */
export class ClaimedElsewhere extends Error {}

/**
 * Records the outcome of an attempt. `noticeEnded` runs once, when the notice has reached its person or never will
 * (not with `announce` false). A sender whose lease has run out records nothing: another one has taken over. Nothing is recorded
 * twice, even if nobody knows whether the first commit arrived. Rejects with `ClaimedElsewhere` if that happened meanwhile.
 */
export async function recordNoticeOutcome(
  work: Work,
  claimed: Claimed,
  tried: NoticeResult,
  random: number,
  announce = true,
): Promise<void> {
  const { tx, now } = work;
  const subscriptions = tried.reachedSubscriptions ?? [];
  const pause = pauseBefore(claimed, tried, random);
  const wasReached = claimed.reached.length > 0;
  const ok = wasReached || tried.reached;
  const ends = pause === null;
  const current = await tx
    .selectFrom('notices')
    .select(['attempts', 'state', 'leased_until'])
    .where('no', '=', claimed.no)
    .executeTakeFirst();
  if (current?.attempts !== claimed.attempt) return;
  if (current.leased_until?.getTime() !== claimed.leasedUntil.getTime()) return;
  // Reactions lock incidents before this row is locked: the end of an alarm takes its locks in the same order.
  if (announce && ((tried.reached && !wasReached) || (ends && !ok && current.state === 'pending')))
    await noticeEnded.run(work, {
      orgId: claimed.orgId,
      alarmNo: claimed.alarmNo,
      userId: claimed.userId,
      userName: claimed.userName,
      channel: claimed.channel,
      kind: claimed.kind,
      incidentIds: 'incidents' in claimed.data ? claimed.data.incidents.map(({ id }) => id) : [],
      ok,
      error: ok ? null : tried.error,
      at: now,
    });
  // A notice that was cancelled during the attempt counts as sent if it arrived, and is not tried again. One that may have arrived
  // keeps a lease that is over, so that the person is notified of the end (`hasWoken`).
  const { numAffectedRows } = await sql`
    UPDATE notices SET
      state = CASE WHEN ${ok && ends} THEN 'sent' WHEN state = 'pending' AND ${ends} THEN 'failed' ELSE state END,
      leased_until = ${claimed.mayHaveArrived && !ok ? now : null}::timestamptz,
      attempts = attempts - ${tried.notTried ? 1 : 0},
      reached = reached || ${[...subscriptions]}::text[],
      error = ${tried.error},
      next_attempt_at = CASE WHEN state = 'pending' THEN ${pause === null ? null : new Date(now.getTime() + pause)}::timestamptz END,
      finished_at = CASE WHEN ${ends} THEN ${now} ELSE finished_at END
    WHERE no = ${claimed.no} AND attempts = ${claimed.attempt} AND leased_until = ${claimed.leasedUntil}`.execute(
    tx,
  );
  if (numAffectedRows === 0n) throw new ClaimedElsewhere(`notice ${claimed.no}`);
  afterCommit(work, () => countNotice(claimed.channel, !ends ? 'retried' : ok ? 'sent' : 'failed'));
}

/** The pause before the next attempt, in milliseconds; null: there is none. */
function pauseBefore({ channel, attempt }: Claimed, tried: NoticeResult, random: number): number | null {
  if (tried.done) return null;
  if (tried.late) return 0;
  return tried.notTried ? pauseWhenNotTried(random) : pauseAfter(channel, attempt, random, tried.askedMs);
}
