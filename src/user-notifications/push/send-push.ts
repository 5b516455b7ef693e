import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { outlastsAttempt } from '#src/domain/attempt-time.ts';
import type { Log } from '#src/platform/log.ts';
import type { Push, PushMessage, PushOutcome } from '#src/platform/push/push.ts';
import type { Database } from '#src/platform/work.ts';
import type { Claimed } from '../claim.ts';
import { CANCELLED_WITH_ALARM } from '../data.ts';
import { hasWoken } from '../enqueue.ts';
import { LATE, type NoticeResult } from '../record-outcome.ts';
import { pushWords } from './push-words.ts';
import { noteOutcome, type Subscription, subscriptionsOf } from './subscriptions.ts';

/** After four hours people find an alarm in the dashboard, and the message of its end has mostly replaced it. */
const TTL_SECONDS = 4 * 3600;

export type PushNoticeOptions = { db: Database; clock: () => Date; push: Push; log: Log };

/**
 * One attempt to send a notice by web push, to all browsers of its person that have not accepted it yet. The person is reached
 * with the first one that accepts; the others are tried again. Browsers that have unsubscribed are deleted.
 */
export async function sendPushNotice(options: PushNoticeOptions, claimed: Claimed): Promise<NoticeResult> {
  const { db, clock, push, log } = options;
  const all = await subscriptionsOf(db, claimed.userId);
  const open = all.filter(({ id }) => !claimed.reached.includes(id));
  if (open.length === 0) return { done: true, error: 'no_subscription', reached: false };
  const message = messageOf(claimed, await joinedBefore(db, claimed));
  if (!outlastsAttempt(claimed.leasedUntil, clock())) return LATE;
  const outcomes = await Promise.all(
    open.map(async (subscription) => {
      const outcome = await push.send(subscription, message);
      // Not knowing that must not lose which browsers have the message: all of them would get it again.
      await noteOutcome(db, clock(), subscription, outcome).catch((err: unknown) =>
        log.warn({ err, subscription: subscription.id }, 'cannot note how a browser answered'),
      );
      return { subscription, outcome };
    }),
  );
  return sumUp(outcomes);
}

function sumUp(outcomes: { subscription: Subscription; outcome: PushOutcome }[]): NoticeResult {
  const accepted = outcomes.filter(({ outcome }) => outcome.kind === 'accepted');
  const notTried = outcomes.some(({ outcome }) => outcome.kind === 'not_tried');
  const later = outcomes.flatMap(({ outcome }) => (outcome.kind === 'later' ? [outcome] : []));
  const errors = outcomes.flatMap(({ outcome }) => (outcome.kind === 'accepted' ? [] : [outcome.error]));
  const asked = later.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
  return {
    done: later.length === 0 && !notTried,
    notTried: later.length === 0 && notTried,
    error: later[0]?.error ?? errors[0] ?? null,
    reached: accepted.length > 0,
    reachedSubscriptions: accepted.map(({ subscription }) => subscription.id),
    askedMs: asked.length > 0 ? Math.max(...asked) : null,
  };
}

/** A push holds the tags of as many; a storm merges the alarms of its first incidents only. */
const MAX_REPLACED = 20;

/** The alarms that were pushed to the person and have joined this one since. */
async function joinedBefore(db: Database, { alarmNo, userId }: Claimed): Promise<number[]> {
  if (alarmNo === null) return [];
  const { rows } = await sql<{ no: number }>`
    SELECT DISTINCT a.no FROM alarms a JOIN notices n ON n.alarm_no = a.no AND n.user_id = ${userId} AND n.channel = 'push'
    WHERE a.joined_no = ${alarmNo} AND ${hasWoken} ORDER BY a.no DESC LIMIT ${MAX_REPLACED}`.execute(db);
  return rows.map(({ no }) => no);
}

const tagOf = (alarmNo: number) => `alarm-${alarmNo}`;

function messageOf(claimed: Claimed, joined: readonly number[]): PushMessage {
  const { alarmNo } = claimed;
  const topic = alarmNo === null ? null : `alarm ${claimed.orgId} ${alarmNo}`;
  const tag = alarmNo === null ? `notice-${claimed.no}` : tagOf(alarmNo);
  return {
    payload: JSON.stringify({
      ...pushWords(claimed, claimed.orgId, claimed.language),
      tag,
      kind: claimed.kind,
      ...(joined.length > 0 && { replaces: joined.map(tagOf) }),
    }),
    ttlSeconds: TTL_SECONDS,
    urgency: CANCELLED_WITH_ALARM.includes(claimed.kind) ? 'high' : 'normal',
    // Push services can read the topic: a hash reveals nothing.
    ...(topic === null ? {} : { topic: createHash('sha256').update(topic).digest('base64url').slice(0, 32) }),
  };
}
