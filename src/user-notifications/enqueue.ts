// The outbox of user notifications: stored in the unit of work that causes them, sent after its commit.
import { type RawBuilder, sql } from 'kysely';
import type { Work } from '../platform/work.ts';
import { CANCELLED_WITH_ALARM, type NoticeChannel, type NoticeContent } from './data.ts';

export type {
  AlarmNoticeData,
  DrillNoticeData,
  NoticeChannel,
  NoticeContent,
  NoticeData,
  NoticeKind,
  SilenceNoticeData,
  TargetNoticeData,
} from './data.ts';

/** Wakes the senders of every server process. */
export const NOTICES_CHANNEL = 'tocsin_notices';

export type NewNotice = NoticeContent & {
  orgId: string;
  userId: string;
  channel: NoticeChannel;
  /** The alarm it belongs to: a notice that wakes somebody is cancelled once the alarm has ended. */
  alarmNo?: number;
};

/**
 * Stores notices with one statement; they are sent right after the commit. People without a subscribed browser get no web
 * push. A person gets one notice on each channel for each step of an alarm, however often this is called. The sender checks
 * whether mail is configured and the person is still a member.
 */
export async function enqueueNotices(work: Work, notices: readonly NewNotice[]): Promise<void> {
  await enqueuing(work, notices)?.execute(work.tx);
}

/** The statement of `enqueueNotices`; null: there are none. */
export function enqueuing({ now }: Work, notices: readonly NewNotice[]): RawBuilder<unknown> | null {
  if (notices.length === 0) return null;
  const rows = notices.map(({ orgId, userId, channel, kind, data, alarmNo }) => ({
    org_id: orgId,
    user_id: userId,
    channel,
    kind,
    data,
    alarm_no: alarmNo ?? null,
  }));
  return sql`
    WITH stored AS (
      INSERT INTO notices (org_id, user_id, channel, kind, data, alarm_no, state, next_attempt_at, created_at)
      SELECT r.org_id, r.user_id, r.channel, r.kind, r.data, r.alarm_no, 'pending', ${now}, ${now}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r (org_id text, user_id text, channel text, kind text, data jsonb, alarm_no bigint)
      WHERE r.channel = 'mail' OR EXISTS (SELECT FROM push_subscriptions s WHERE s.user_id = r.user_id)
      ON CONFLICT DO NOTHING
      RETURNING no
    )
    SELECT pg_notify(${NOTICES_CHANNEL}, '') FROM stored LIMIT 1`;
}

/**
 * Cancels the pending notices with which an alarm would wake people, in the unit of work that ends it; notices of its end
 * stay. An attempt in progress cannot be called back; `recipientsOf` counts it.
 */
export async function cancelNotices(work: Work, alarmNo: number): Promise<void> {
  await sql`
    UPDATE notices SET state = 'cancelled', next_attempt_at = NULL, finished_at = ${work.now}
    WHERE alarm_no = ${alarmNo} AND state = 'pending' AND kind = ANY(${[...CANCELLED_WITH_ALARM]})`.execute(
    work.tx,
  );
}

/**
 * The people whom an alarm has woken by mail or push, including attempts whose outcome is not known: they get the notice of its
 * end. Those of alarms that joined it count too. Called after `cancelNotices`, which waits for a sender that is claiming one of the
 * notices: before, that attempt is not seen.
 */
export async function recipientsOf(
  { tx }: Work,
  alarmNo: number,
): Promise<{ userId: string; channel: NoticeChannel }[]> {
  const { rows } = await sql<{ userId: string; channel: NoticeChannel }>`
    SELECT DISTINCT n.user_id AS "userId", n.channel FROM notices n
    WHERE n.alarm_no IN ${withJoined(alarmNo)} AND ${hasWoken}
    ORDER BY n.user_id, n.channel`.execute(tx);
  return rows;
}

/**
 * Notice `n` woke its person, or may have: an attempt in progress counts, and one whose server died before it could record the
 * outcome.
 */
export const hasWoken = sql<boolean>`(n.kind = ANY(${[...CANCELLED_WITH_ALARM]})
  AND (n.state = 'sent' OR cardinality(n.reached) > 0 OR n.leased_until IS NOT NULL))`;

/** The number of an alarm and those of the alarms that joined it. */
export const withJoined = (alarmNo: number): RawBuilder<unknown> =>
  sql`(SELECT ${alarmNo}::bigint UNION ALL SELECT a.no FROM alarms a WHERE a.joined_no = ${alarmNo})`;

/** Wakes the senders: a paused alarm continues, and so do its notices. */
export async function wakeNotices({ tx }: Work): Promise<void> {
  await sql`SELECT pg_notify(${NOTICES_CHANNEL}, '')`.execute(tx);
}
