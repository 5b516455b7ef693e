// What waits to be delivered, looked at as a whole.
import { sql } from 'kysely';
import type { Database } from '../../platform/work.ts';

/** When the oldest delivery was made that still waits; null: nothing waits. */
export async function oldestWaiting(db: Database): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT min(created_at) AS at FROM deliveries WHERE state = 'pending'`.execute(db);
  return rows[0]?.at ?? null;
}

/** When the next delivery becomes due that is not due yet; null: none does. */
export async function nextDue(db: Database, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT min(next_attempt_at) AS at FROM deliveries
    WHERE state = 'pending' AND next_attempt_at > ${now}`.execute(db);
  return rows[0]?.at ?? null;
}

/** Drops what waits for targets that were switched off or deleted: a target that comes back begins with what is new. */
export async function cancelUnwanted(db: Database, now: Date): Promise<void> {
  await sql`
    WITH RECURSIVE waiting (target_id) AS (
      (SELECT target_id FROM deliveries WHERE state = 'pending' ORDER BY target_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.target_id FROM deliveries d WHERE d.state = 'pending' AND d.target_id > w.target_id
        ORDER BY d.target_id LIMIT 1)
      FROM waiting w WHERE w.target_id IS NOT NULL
    ), unwanted AS (
      SELECT w.target_id FROM waiting w
      WHERE w.target_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM webhook_targets t WHERE t.id = w.target_id AND t.active)
    )
    UPDATE deliveries d SET state = 'cancelled', finished_at = ${now}, next_attempt_at = NULL
    FROM unwanted u
    WHERE d.target_id = u.target_id AND d.state = 'pending' AND (d.leased_until IS NULL OR d.leased_until <= ${now})`.execute(
    db,
  );
}

/** Deliveries that have been due since `before` with nobody sending anything to their target; at most 1,000 are counted. */
export async function countOverdue(db: Database, before: Date, now: Date): Promise<number> {
  const { rows } = await sql<{ overdue: number }>`
    SELECT count(*)::int AS overdue FROM (
      SELECT FROM deliveries d JOIN webhook_targets t ON t.id = d.target_id AND t.active
      WHERE d.state = 'pending' AND d.next_attempt_at < ${before}
        AND NOT EXISTS (SELECT FROM deliveries l
          WHERE l.target_id = d.target_id AND l.leased_until IS NOT NULL AND l.leased_until > ${now})
        AND NOT EXISTS (SELECT FROM deliveries e WHERE e.lane = d.lane AND e.state = 'pending' AND e.seq < d.seq)
      LIMIT 1000
    ) overdue`.execute(db);
  return rows[0]?.overdue ?? 0;
}
