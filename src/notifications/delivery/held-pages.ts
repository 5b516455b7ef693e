// Pages of a paused alarm wait, like its mails (docs/rules/confirmation.md#holds). They keep their place in the queue, and their
// next attempt is at infinity: a claim finds only what is due, and so need not ask for alarms.
import { sql } from 'kysely';
import { pgArray } from '#src/platform/db/pg-array.ts';
import type { Database, Tx, Work } from '#src/platform/work.ts';
import { WAKING } from '../channels/paging.ts';
import { PAGING, wakeWorkers } from './queue.ts';
import { cancelDropped } from './superseded.ts';

/**
 * Makes the waiting pages of these alarms, which have just been paused, wait until `releasePages`; what calls them off goes out. A
 * page that is being sent is not called back; if its attempt fails, it waits too. The organization is locked.
 */
export async function holdPages({ tx }: Work, orgId: string, alarmNos: readonly number[]): Promise<void> {
  const nos = sql`${pgArray(alarmNos)}::bigint[]`;
  await sql`
    WITH keys AS (
      SELECT DISTINCT t.id AS target_id, key.lane
      FROM incidents i JOIN webhook_targets t ON t.org_id = i.org_id AND t.kind = ANY(${PAGING}::text[])
        CROSS JOIN LATERAL (VALUES (t.id || ':' || i.id), (t.id || ':group:' || i.group_no)) AS key (lane)
      WHERE i.org_id = ${orgId} AND i.alarm_no = ANY(${nos})
    ), held AS (
      UPDATE delivery_queue q SET next_attempt_at = 'infinity'
      FROM keys k, outbox o JOIN incidents i ON i.id = o.incident_id
      WHERE q.lane = k.lane AND q.target_id = k.target_id AND o.id = q.event_id AND o.created_at = q.created_at
        AND o.event = ANY(${WAKING}::text[]) AND i.alarm_no = ANY(${nos})
      RETURNING q.delivery_id, q.created_at
    )
    UPDATE deliveries d SET next_attempt_at = NULL FROM held h
    WHERE d.id = h.delivery_id AND d.created_at = h.created_at`.execute(tx);
}

/** Makes the held pages of an organization due, except those whose alarm is still paused. Cancels those of incidents that are over. */
export async function releasePages(work: Work, orgId: string): Promise<void> {
  await release(work.tx, work.now, orgId);
  await wakeWorkers(work);
}

/** Makes all held pages due whose alarm is no longer paused: whatever has ended the pause, no page is forgotten. */
export const releaseForgottenPages = (db: Database, now: Date): Promise<void> => release(db, now, null);

async function release(db: Database | Tx, now: Date, orgId: string | null): Promise<void> {
  const isHeld = sql`q.next_attempt_at = 'infinity' AND (${orgId}::text IS NULL OR q.org_id = ${orgId})`;
  // A page of one incident is overtaken by now if nobody needs to respond. That of a group says how the group is.
  await sql`
    WITH dropped AS (
      DELETE FROM delivery_queue q USING outbox o, incidents i
      WHERE ${isHeld} AND (q.leased_until IS NULL OR q.leased_until <= ${now}) AND q.lane NOT LIKE '%:group:%'
        AND o.id = q.event_id AND o.created_at = q.created_at AND i.id = o.incident_id
        AND (i.status <> 'open' OR i.acknowledged_at IS NOT NULL)
      RETURNING q.delivery_id, q.created_at
    )
    ${cancelDropped(now)}`.execute(db);
  await sql`
    WITH released AS (
      UPDATE delivery_queue q SET next_attempt_at = greatest(${now}::timestamptz, q.leased_until)
      WHERE ${isHeld}
        AND NOT EXISTS (
          SELECT FROM outbox o JOIN incidents i ON i.id = o.incident_id JOIN alarms a ON a.no = i.alarm_no
          WHERE o.id = q.event_id AND o.created_at = q.created_at AND a.paused_at IS NOT NULL AND a.ended_at IS NULL)
      RETURNING q.delivery_id, q.created_at, q.org_id, q.lane
    ), grouped AS (
      -- The row of a group may have been deleted since; no worker claims deliveries of a group without one.
      INSERT INTO grouped_lanes (lane, org_id, not_before)
      SELECT DISTINCT lane, org_id, ${now}::timestamptz FROM released WHERE lane LIKE '%:group:%'
      ON CONFLICT (lane) DO NOTHING
    )
    UPDATE deliveries d SET next_attempt_at = ${now} FROM released r
    WHERE d.id = r.delivery_id AND d.created_at = r.created_at`.execute(db);
}
