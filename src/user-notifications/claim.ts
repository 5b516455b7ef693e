// Claims notices that are due, each for one sender only, and checks once more that they are still wanted.
import { sql } from 'kysely';
import { allocateSlots, type Contender, type InUse } from '../domain/fair-share.ts';
import type { PageLanguage } from '../domain/names.ts';
import type { Database, Tx } from '../platform/work.ts';
import { CANCELLED_WITH_ALARM, type NoticeChannel, type NoticeContent, WAKING_KINDS } from './data.ts';

/**
 * Longer than an attempt by mail or web push may take (15 s each): a sender that holds a lease past this has died. Its notices
 * are late by this much at most.
 */
export const LEASE_MS = 25_000;

const WAKING = [...WAKING_KINDS];

export type Claimed = NoticeContent & {
  no: number;
  orgId: string;
  orgName: string;
  userId: string;
  userName: string;
  email: string;
  /** The person's, else the organization's. */
  language: PageLanguage;
  channel: NoticeChannel;
  alarmNo: number | null;
  /** The number of this attempt, from 1. */
  attempt: number;
  leasedUntil: Date;
  /** Push subscriptions that have accepted it already. */
  reached: string[];
  /** A sender died with it: nobody knows whether it has arrived. */
  mayHaveArrived: boolean;
  createdAt: Date;
};

/** Free slots of a sender, and how many of its slots are reserved for notices that wake people. */
export type Room = { free: number; reserved: number };

/**
 * Claims due notices of a channel: those that wake people first, in fair shares of organizations, the longest waiting first.
 * Under the lock of each row this checks that the person is still a member and the alarm still rings, or the incident that they command is
 * still open, and cancels the notice otherwise: nothing reaches somebody who has left, or has become a viewer. Notices that wake people wait while their alarm is paused.
 */
export async function claimNotices(
  tx: Tx,
  now: Date,
  channel: NoticeChannel,
  room: Room,
): Promise<Claimed[]> {
  const [waiting, inUse] = await Promise.all([
    readWaiting(tx, now, channel, room.free),
    readInUse(tx, now, channel),
  ]);
  const free = { all: room.free, slow: room.free, reserved: room.reserved };
  const chosen = allocateSlots(waiting, free, inUse);
  return chosen.length === 0 ? [] : lease(tx, now, chosen);
}

type Waiting = Contender & { no: number };

/** Due notices, locked: for each organization as many as there are free slots. */
async function readWaiting(tx: Tx, now: Date, channel: NoticeChannel, most: number): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    WITH RECURSIVE waiting (org_id) AS (
      (SELECT org_id FROM notices WHERE state = 'pending' AND channel = ${channel} ORDER BY org_id LIMIT 1)
      UNION ALL
      SELECT (SELECT n.org_id FROM notices n WHERE n.state = 'pending' AND n.channel = ${channel}
        AND n.org_id > w.org_id ORDER BY n.org_id LIMIT 1)
      FROM waiting w WHERE w.org_id IS NOT NULL
    )
    SELECT due.no, w.org_id AS tenant, (SELECT user_id FROM first_owners f WHERE f.org_id = w.org_id) AS owner,
      NULL AS host, class.urgency, false AS slow
    FROM waiting w CROSS JOIN (VALUES (0), (1)) AS class (urgency)
    CROSS JOIN LATERAL (
      SELECT n.no, n.next_attempt_at FROM notices n
      WHERE n.org_id = w.org_id AND (n.kind = ANY(${WAKING})) = (class.urgency = 0) AND ${isDue(now, channel)}
      ORDER BY n.next_attempt_at, n.no LIMIT ${most}
      FOR UPDATE OF n SKIP LOCKED
    ) due
    ORDER BY due.next_attempt_at, due.no`.execute(tx);
  return rows;
}

/** Counts the notices of each organization that are being sent, over all processes. */
async function readInUse(tx: Tx, now: Date, channel: NoticeChannel): Promise<InUse> {
  const { rows } = await sql<{ org_id: string; owner: string | null; n: number }>`
    SELECT org_id, (SELECT user_id FROM first_owners f WHERE f.org_id = in_use.org_id) AS owner, n FROM (
      SELECT org_id, count(*)::int AS n FROM notices
      WHERE state = 'pending' AND channel = ${channel} AND leased_until > ${now} GROUP BY org_id
    ) in_use`.execute(tx);
  const owners = new Map<string, number>();
  for (const { owner, n } of rows) if (owner !== null) owners.set(owner, (owners.get(owner) ?? 0) + n);
  return { tenants: new Map(rows.map(({ org_id, n }) => [org_id, n])), owners, hosts: new Map() };
}

async function lease(tx: Tx, now: Date, chosen: readonly Waiting[]): Promise<Claimed[]> {
  const { rows } = await sql<Claimed & { wanted: boolean }>`
    WITH due AS (
      SELECT n.no, n.leased_until IS NOT NULL AS died,
        EXISTS (SELECT FROM members m WHERE m.org_id = n.org_id AND m.user_id = n.user_id AND m.role <> 'viewer')
        AND NOT (n.kind = ANY(${[...CANCELLED_WITH_ALARM]})
          AND EXISTS (SELECT FROM alarms a WHERE a.no = n.alarm_no AND a.ended_at IS NOT NULL))
        AND NOT (n.kind = 'alarm_commander' AND ${isOutdated}) AS wanted
      FROM notices n WHERE n.no = ANY(${chosen.map(({ no }) => String(no))}::bigint[])
    )
    UPDATE notices n SET
      state = CASE WHEN due.wanted THEN 'pending' ELSE 'cancelled' END,
      attempts = n.attempts + CASE WHEN due.wanted THEN 1 ELSE 0 END,
      -- A sender that is late records under its own lease that it has arrived after all.
      leased_until = CASE WHEN due.wanted THEN ${new Date(now.getTime() + LEASE_MS)}::timestamptz ELSE n.leased_until END,
      next_attempt_at = CASE WHEN due.wanted THEN n.next_attempt_at END,
      finished_at = CASE WHEN due.wanted THEN NULL ELSE ${now}::timestamptz END
    FROM due, users u, organizations o
    WHERE n.no = due.no AND u.id = n.user_id AND o.id = n.org_id
    RETURNING n.no, n.org_id AS "orgId", o.name AS "orgName", n.user_id AS "userId", u.name AS "userName", u.email,
      coalesce(u.language, o.language) AS language, n.channel, n.kind, n.data, n.alarm_no AS "alarmNo", n.attempts AS attempt,
      n.leased_until AS "leasedUntil", n.reached,
      n.created_at AS "createdAt", due.died AS "mayHaveArrived", due.wanted`.execute(tx);
  return rows.filter((row) => row.wanted);
}

/** Of the incidents that a commander's reminder `n` names none is open any more, or others command them. It may not name all. */
const isOutdated = sql`CASE WHEN jsonb_array_length(n.data -> 'incidents') < (n.data ->> 'total')::int THEN false
  ELSE NOT EXISTS (SELECT FROM jsonb_array_elements(n.data -> 'incidents') named JOIN incidents i ON i.id = named ->> 'id'
    WHERE i.status = 'open' AND i.commander_user_id = n.user_id) END`;

/** When the next notice of a channel may be claimed; null: none waits. A time in the past means that all slots were taken. */
export async function nextDue(db: Database, channel: NoticeChannel): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT min(greatest(n.next_attempt_at, n.leased_until)) AS at FROM notices n
    WHERE n.state = 'pending' AND n.channel = ${channel} AND ${goesOn}`.execute(db);
  return rows[0]?.at ?? null;
}

/** Counts notices that were due before `overdue` and that no sender holds. */
export async function countOverdueNotices(db: Database, overdue: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM notices n
    WHERE n.state = 'pending' AND n.next_attempt_at < ${overdue}
      AND (n.leased_until IS NULL OR n.leased_until < ${overdue}) AND ${goesOn}`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * Notices that are due and were never tried while nothing is being sent for their organization, or for another one of its owner, on
 * their channel: those have their turn. `oldestSeconds` is how long the first has been due.
 */
export async function untriedNotices(
  db: Database,
  now: Date,
): Promise<{ count: number; oldestSeconds: number }> {
  const { rows } = await sql<{ count: number; oldest: number | null }>`
    WITH served AS MATERIALIZED (
      SELECT DISTINCT l.channel, l.org_id, f.user_id AS owner FROM notices l LEFT JOIN first_owners f ON f.org_id = l.org_id
      WHERE l.state = 'pending' AND l.leased_until > ${now}
    )
    SELECT count(*)::int AS count, extract(epoch FROM ${now}::timestamptz - min(n.next_attempt_at))::float8 AS oldest
    FROM notices n WHERE n.state = 'pending' AND n.attempts = 0 AND n.next_attempt_at <= ${now} AND ${goesOn}
      AND NOT EXISTS (SELECT FROM served s WHERE s.channel = n.channel AND (s.org_id = n.org_id
        OR s.owner = (SELECT user_id FROM first_owners f WHERE f.org_id = n.org_id)))`.execute(db);
  return { count: rows[0]?.count ?? 0, oldestSeconds: rows[0]?.oldest ?? 0 };
}

const goesOn = sql`NOT (n.kind = ANY(${WAKING}) AND EXISTS (
  SELECT FROM alarms a WHERE a.no = n.alarm_no AND a.paused_at IS NOT NULL AND a.ended_at IS NULL))`;

const isDue = (now: Date, channel: NoticeChannel) => sql`n.state = 'pending' AND n.channel = ${channel}
  AND n.next_attempt_at <= ${now} AND (n.leased_until IS NULL OR n.leased_until <= ${now}) AND ${goesOn}`;
