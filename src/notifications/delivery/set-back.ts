// Deliveries and targets that a clock has dated in a future that it has left again
// (docs/rules/confirmation.md#a-clock-that-was-set-back).
import { sql } from 'kysely';
import { countAsNow, countFromNow, type SetBack, sooner } from '#src/platform/db/set-back.ts';
import type { Work } from '#src/platform/work.ts';
import { LEASE_MS } from './claim.ts';
import { wakeWorkers } from './queue.ts';

/**
 * The clock was set back: retries, and the leases of workers that have died since, last as long as they were meant to. Pages that
 * are held stay held. Failures of targets count as of now, and so does the last mail about them.
 */
export async function rightDeliveries(work: Work, setBack: SetBack): Promise<void> {
  const { tx, now } = work;
  const { byMs } = setBack;
  // A worker finds its deliveries by the lease: one that is not much too long is left to it.
  const lasting = new Date(now.getTime() + 2 * LEASE_MS);
  await sql`
    WITH ahead AS MATERIALIZED (
      SELECT q.seq FROM delivery_queue q JOIN deliveries d ON d.id = q.delivery_id AND d.created_at = q.created_at
      WHERE CASE WHEN q.leased_until IS NULL THEN q.next_attempt_at > ${now}::timestamptz AND q.next_attempt_at < 'infinity'
        ELSE q.leased_until > ${lasting}::timestamptz END
      FOR NO KEY UPDATE OF q, d SKIP LOCKED
    ), moved AS (
      UPDATE delivery_queue q SET next_attempt_at = ${sooner(sql`q.next_attempt_at`, now, byMs)},
        leased_until = ${sooner(sql`q.leased_until`, now, byMs)}
      FROM ahead WHERE q.seq = ahead.seq RETURNING q.delivery_id, q.created_at, q.next_attempt_at
    )
    UPDATE deliveries d SET next_attempt_at = nullif(m.next_attempt_at, 'infinity') FROM moved m
    WHERE d.id = m.delivery_id AND d.created_at = m.created_at AND d.next_attempt_at IS NOT NULL`.execute(tx);
  await countFromNow(work, setBack, 'grouped_lanes', ['not_before']);
  await countAsNow(work, 'grouped_lanes', ['tried_at']);
  await sql`
    UPDATE webhook_targets SET recent_failures = ARRAY(SELECT least(at, ${now}) FROM unnest(recent_failures) AS at)
    WHERE id = ANY(ARRAY(SELECT id FROM webhook_targets
      WHERE EXISTS (SELECT FROM unnest(recent_failures) AS at WHERE at > ${now}) FOR NO KEY UPDATE SKIP LOCKED))`.execute(
    tx,
  );
  await countAsNow(work, 'webhook_targets', ['last_delivery_at', 'failing_since', 'warned_at', 'off_since']);
  await wakeWorkers(work);
}
