// Pages of a quiet alarm wait, like its mails (docs/rules/confirmation.md#holds). They keep their place in the queue, and their
// next attempt is at infinity: a claim finds only what is due, and so need not ask for alarms.
import { type RawBuilder, sql } from 'kysely';
import { isPaging, isPending } from '#src/conditions/paging.ts';
import { pgArray } from '#src/platform/db/pg-array.ts';
import type { Database, Tx, Work } from '#src/platform/work.ts';
import { WAKING } from '../channels/paging.ts';
import { PAGING, wakeWorkers } from './queue.ts';
import { receivesIncident } from './receives-incident.ts';
import { cancelDropped } from './superseded.ts';

/**
 * Whether an alarm is quiet at a target: all of its unacknowledged incidents are suppressed, or at least all that the target
 * receives. null: it has no incidents.
 */
function isQuietAt(alarmNo: RawBuilder<unknown>, targetId: RawBuilder<unknown>, now: Date) {
  const isQuiet = (those: RawBuilder<boolean>) =>
    sql`bool_or(${isPending} AND ${those}) AND NOT bool_or(${isPaging(now)} AND ${those})`;
  return sql<boolean>`(SELECT ${isQuiet(sql`true`)} OR ${isQuiet(receivesIncident(targetId, sql`i.id`))}
    FROM incidents i WHERE i.alarm_no = ${alarmNo})`;
}

/**
 * Makes the waiting pages of these alarms wait until `releasePages` at targets at which they are quiet; what calls them off goes
 * out. A page that is being sent is not called back; if its attempt fails, it waits too. The organization is locked.
 */
export async function holdPages(
  { tx, now }: Work,
  orgId: string,
  alarmNos: readonly number[],
): Promise<void> {
  await sql`
    WITH quiet AS MATERIALIZED (
      SELECT t.id AS target_id, a.no FROM alarms a JOIN webhook_targets t ON t.org_id = a.org_id AND t.kind = ANY(${PAGING}::text[])
      WHERE a.org_id = ${orgId} AND a.no = ANY(${pgArray(alarmNos)}::bigint[]) AND ${isQuietAt(sql`a.no`, sql`t.id`, now)}
    ), keys AS (
      SELECT DISTINCT k.target_id, k.no, key.lane FROM quiet k JOIN incidents i ON i.alarm_no = k.no
        CROSS JOIN LATERAL (VALUES (k.target_id || ':' || i.id), (k.target_id || ':group:' || i.group_no)) AS key (lane)
    ), held AS (
      UPDATE delivery_queue q SET next_attempt_at = 'infinity'
      FROM keys k, outbox o JOIN incidents i ON i.id = o.incident_id
      WHERE q.lane = k.lane AND q.target_id = k.target_id AND o.id = q.event_id AND o.created_at = q.created_at
        AND o.event = ANY(${WAKING}::text[]) AND i.alarm_no = k.no
      RETURNING q.delivery_id, q.created_at
    )
    UPDATE deliveries d SET next_attempt_at = NULL FROM held h
    WHERE d.id = h.delivery_id AND d.created_at = h.created_at`.execute(tx);
}

/** Makes the held pages of an organization due where their alarm is no longer quiet. Cancels those of incidents that are over. */
export async function releasePages(work: Work, orgId: string): Promise<void> {
  await release(work.tx, work.now, orgId);
  await wakeWorkers(work);
}

/** Makes all held pages due where their alarm is no longer quiet: whatever has ended that, no page is forgotten. */
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
    WITH held AS MATERIALIZED (
      SELECT q.seq, q.target_id, i.alarm_no FROM delivery_queue q
      LEFT JOIN outbox o ON o.id = q.event_id AND o.created_at = q.created_at LEFT JOIN incidents i ON i.id = o.incident_id
      WHERE ${isHeld}
    ), quiet AS MATERIALIZED (
      SELECT k.* FROM (SELECT DISTINCT target_id, alarm_no FROM held) k
      WHERE ${isQuietAt(sql`k.alarm_no`, sql`k.target_id`, now)}
    ), released AS (
      UPDATE delivery_queue q SET next_attempt_at = greatest(${now}::timestamptz, q.leased_until)
      FROM held h LEFT JOIN quiet k ON k.target_id = h.target_id AND k.alarm_no = h.alarm_no
      WHERE q.seq = h.seq AND ${isHeld} AND k.target_id IS NULL
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
