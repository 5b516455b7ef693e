// What waits to be delivered, looked at as a whole.
import { type RawBuilder, sql } from 'kysely';
import { inTransaction } from '#src/platform/db/transaction.ts';
import type { Database, Work } from '#src/platform/work.ts';
import { planPlainly } from './generic-plans.ts';

/** When the next delivery becomes due that is not due yet, or the lease of one runs out; null: none does. */
export async function nextDue(db: Database, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT min(next_attempt_at) AS at FROM delivery_queue WHERE next_attempt_at > ${now}`.execute(db);
  return rows[0]?.at ?? null;
}

/** What waits for a target that is off or gone is never sent: replaying brings it back, once the target is on again. */
export async function cancelWaiting({ tx, now }: Work, targetId: string): Promise<void> {
  await cancel(sql`q.target_id = ${targetId}`, now).execute(tx);
}

/** Drops what waits for targets that were switched off or deleted: a target that comes back begins with what is new. */
export async function cancelUnwanted(db: Database, now: Date): Promise<void> {
  await cancel(
    sql`NOT EXISTS (SELECT FROM webhook_targets t WHERE t.id = q.target_id AND t.active)`,
    now,
  ).execute(db);
}

/** What is being sent is left to whoever sends it; they see that nobody wants it any more. */
const cancel = (unwanted: RawBuilder<unknown>, now: Date) => sql`
  WITH dropped AS (
    DELETE FROM delivery_queue q WHERE ${unwanted} AND (q.leased_until IS NULL OR q.leased_until <= ${now})
    RETURNING q.delivery_id, q.created_at, q.attempts
  )
  UPDATE deliveries d SET state = 'cancelled', finished_at = ${now}, next_attempt_at = NULL, attempts = x.attempts
  FROM dropped x WHERE d.id = x.delivery_id AND d.created_at = x.created_at`;

/** Deliveries that have been due since `before` with nobody sending anything to their target; at most 1,000 are counted. */
export async function countOverdue(db: Database, before: Date, now: Date): Promise<number> {
  return inTransaction(db, async (tx) => {
    const planned = planPlainly(tx, { durable: false });
    const { rows } = await sql<{ overdue: number }>`
      SELECT count(*)::int AS overdue FROM (
        SELECT FROM delivery_queue q JOIN webhook_targets t ON t.id = q.target_id AND t.active
        WHERE q.next_attempt_at < ${before}
          AND NOT EXISTS (SELECT FROM delivery_queue l
            WHERE l.target_id = q.target_id AND l.leased_until IS NOT NULL AND l.leased_until > ${now})
          AND NOT EXISTS (SELECT FROM delivery_queue e WHERE e.lane = q.lane AND e.seq < q.seq)
        LIMIT 1000
      ) overdue`.execute(tx);
    await planned;
    return rows[0]?.overdue ?? 0;
  });
}
