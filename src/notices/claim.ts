// Takes notices that are due, each for one sender only, and looks once more whether anybody still wants them.
import { sql } from 'kysely';
import type { Database } from '../platform/work.ts';
import { type NoticeChannel, type NoticeContent, WAKING_KINDS } from './data.ts';

/**
 * Longer than everything a try may take (15 s, of mail and of web push): whoever holds a lease past it has died. What that
 * one was sending is late by as much, and not by more.
 */
export const LEASE_MS = 25_000;

export type Claimed = NoticeContent & {
  no: number;
  orgId: string;
  orgName: string;
  userId: string;
  userName: string;
  email: string;
  channel: NoticeChannel;
  alarmNo: number | null;
  /** Tries with this one, from 1. */
  attempt: number;
  /** Subscriptions that have taken it already. */
  reached: string[];
  createdAt: Date;
};

/**
 * Claims at most `most` notices of a channel that are due, the longest waiting first. Under the lock of each row it is
 * looked at whether its person is still a member and its alarm still rings; otherwise it is cancelled here, and so
 * nothing reaches somebody who has left. What wakes people waits while their alarm is paused.
 */
export async function claimNotices(
  db: Database,
  now: Date,
  channel: NoticeChannel,
  most: number,
): Promise<Claimed[]> {
  const waking = [...WAKING_KINDS];
  const { rows } = await sql<Claimed & { wanted: boolean }>`
    WITH due AS (
      SELECT n.no,
        EXISTS (SELECT FROM members m WHERE m.org_id = n.org_id AND m.user_id = n.user_id)
        AND NOT (n.kind = ANY(${waking})
          AND EXISTS (SELECT FROM alarms a WHERE a.no = n.alarm_no AND a.ended_at IS NOT NULL)) AS wanted
      FROM notices n
      WHERE ${isDue(now, channel)}
      ORDER BY n.next_attempt_at, n.no
      LIMIT ${most}
      FOR UPDATE OF n SKIP LOCKED
    )
    UPDATE notices n SET
      state = CASE WHEN due.wanted THEN 'pending' ELSE 'cancelled' END,
      attempts = n.attempts + CASE WHEN due.wanted THEN 1 ELSE 0 END,
      leased_until = CASE WHEN due.wanted THEN ${new Date(now.getTime() + LEASE_MS)}::timestamptz END,
      next_attempt_at = CASE WHEN due.wanted THEN n.next_attempt_at END,
      finished_at = CASE WHEN due.wanted THEN NULL ELSE ${now}::timestamptz END
    FROM due, users u, organizations o
    WHERE n.no = due.no AND u.id = n.user_id AND o.id = n.org_id
    RETURNING n.no, n.org_id AS "orgId", o.name AS "orgName", n.user_id AS "userId", u.name AS "userName", u.email,
      n.channel, n.kind, n.data, n.alarm_no AS "alarmNo", n.attempts AS attempt, n.reached,
      n.created_at AS "createdAt", due.wanted`.execute(db);
  return rows.filter((row) => row.wanted);
}

/** When the next notice of a channel may be claimed; null: nothing waits. May be past: all places were taken. */
export async function nextDue(db: Database, channel: NoticeChannel): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT min(greatest(n.next_attempt_at, n.leased_until)) AS at FROM notices n
    WHERE n.state = 'pending' AND n.channel = ${channel} AND ${goesOn}`.execute(db);
  return rows[0]?.at ?? null;
}

/** How many notices were due before `overdue` and nobody sends, by whom ever they were claimed. */
export async function countOverdueNotices(db: Database, overdue: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM notices n
    WHERE n.state = 'pending' AND n.next_attempt_at < ${overdue}
      AND (n.leased_until IS NULL OR n.leased_until < ${overdue}) AND ${goesOn}`.execute(db);
  return rows[0]?.n ?? 0;
}

const goesOn = sql`NOT (n.kind = ANY(${[...WAKING_KINDS]}) AND EXISTS (
  SELECT FROM alarms a WHERE a.no = n.alarm_no AND a.paused_at IS NOT NULL AND a.ended_at IS NULL))`;

const isDue = (now: Date, channel: NoticeChannel) => sql`n.state = 'pending' AND n.channel = ${channel}
  AND n.next_attempt_at <= ${now} AND (n.leased_until IS NULL OR n.leased_until <= ${now}) AND ${goesOn}`;
