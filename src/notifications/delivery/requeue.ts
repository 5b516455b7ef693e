// What has waited before waits again.
import { type Selectable, sql } from 'kysely';
import type { DB } from '#src/platform/db/tables.ts';
import type { Work } from '#src/platform/work.ts';
import { groupOfLane } from '../ordering-key.ts';
import { urgencyIn } from './urgency.ts';

/**
 * Puts a delivery that is pending again back at its place in its lane, due now; one that still waits is hurried, one
 * that is being sent is left alone. Whatever stands behind it waits for nothing else. To be called with its target locked.
 */
export async function requeue(work: Work, delivery: Selectable<DB['deliveries']>): Promise<void> {
  const { tx, now } = work;
  const { seq, id, created_at, event_id, event, org_id, target_id, lane } = delivery;
  await sql`
    INSERT INTO delivery_queue (seq, delivery_id, created_at, event_id, org_id, target_id, lane, urgency, next_attempt_at)
    SELECT ${seq}, ${id}, ${created_at}, ${event_id}, ${org_id}, t.id, ${lane}, ${urgencyIn(sql`${event}`, sql`t.kind`)}, ${now}
    FROM webhook_targets t WHERE t.id = ${target_id}
    ON CONFLICT (seq) DO NOTHING`.execute(tx);
  // Of a group whose lane was forgotten meanwhile: without it nobody may tell of the group.
  if (groupOfLane(lane) !== null)
    await sql`INSERT INTO grouped_lanes (lane, org_id, not_before) VALUES (${lane}, ${org_id}, ${now})
      ON CONFLICT (lane) DO NOTHING`.execute(tx);
  await sql`
    WITH moved AS (
      UPDATE delivery_queue SET next_attempt_at = ${now}
      WHERE lane = ${lane} AND next_attempt_at > ${now} AND (leased_until IS NULL OR leased_until <= ${now})
      RETURNING delivery_id, created_at
    )
    UPDATE deliveries d SET next_attempt_at = ${now}
    FROM moved m WHERE d.id = m.delivery_id AND d.created_at = m.created_at`.execute(tx);
}

/** Has deliveries wait that were written as pending, at the time that they say. */
export async function requeuePending({ tx, now }: Work, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    INSERT INTO delivery_queue
      (seq, delivery_id, created_at, event_id, org_id, target_id, lane, urgency, attempts, next_attempt_at)
    SELECT d.seq, d.id, d.created_at, d.event_id, d.org_id, d.target_id, d.lane, ${urgencyIn(sql`d.event`, sql`t.kind`)},
      d.attempts, coalesce(d.next_attempt_at, ${now})
    FROM deliveries d JOIN webhook_targets t ON t.id = d.target_id
    WHERE d.id = ANY(${ids}::text[]) AND d.state = 'pending'
    ON CONFLICT (seq) DO NOTHING`.execute(tx);
}
