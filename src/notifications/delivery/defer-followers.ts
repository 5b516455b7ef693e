// What waits behind a delivery that is retried.
import { sql } from 'kysely';
import type { Work } from '#src/platform/work.ts';
import { groupOfKey } from '../ordering-key.ts';
import { APART, uncounted } from './group-due.ts';
import { deferUntil, PAGING } from './queue.ts';

type Retried = { delivery: { seq: number }; retryAt: Date | null };

/**
 * Defers deliveries behind one that is retried later, so that no worker looks at them before. `released`: the current ordering
 * keys, by `seq`.
 */
export async function deferFollowers(
  work: Work,
  outcomes: readonly Retried[],
  released: ReadonlyMap<number, string>,
): Promise<void> {
  const keys = new Map<string, Date>();
  for (const { delivery, retryAt } of outcomes) {
    // Its incident may have joined a group while it was being sent.
    const lane = released.get(delivery.seq);
    if (retryAt && lane !== undefined && !keys.has(lane)) keys.set(lane, retryAt);
  }
  for (const [key, until] of keys) {
    if (groupOfKey(key) === null) await deferUntil(work, [key], until);
    else await deferGroup(work, key, until);
  }
}

/**
 * Defers the next message of a group to a retry. Pages that were added while the message was being sent wait for it no longer
 * than APART_MS, and what failed is then tried with them; that try does not count.
 */
async function deferGroup(work: Work, key: string, retryAt: Date): Promise<void> {
  const { tx, now } = work;
  const { rows } = await sql<{ at: Date }>`
    WITH soon AS (
      SELECT g.lane, greatest(${now}::timestamptz, g.tried_at + ${APART}) AS at
      FROM grouped_lanes g WHERE g.lane = ${key} AND EXISTS (SELECT FROM delivery_queue q JOIN webhook_targets t ON t.id = q.target_id
        WHERE q.lane = g.lane AND q.attempts = 0 AND q.next_attempt_at < 'infinity' AND t.kind = ANY(${PAGING}::text[]))
    ), moved AS (
      UPDATE delivery_queue q SET next_attempt_at = soon.at,
        attempts = ${uncounted} FROM soon
      WHERE q.lane = soon.lane AND q.next_attempt_at > soon.at AND q.next_attempt_at < 'infinity' AND q.leased_until IS NULL
      RETURNING q.delivery_id, q.created_at
    )
    UPDATE deliveries d SET next_attempt_at = soon.at FROM moved m CROSS JOIN soon
    WHERE d.id = m.delivery_id AND d.created_at = m.created_at
    RETURNING soon.at`.execute(tx);
  const until = rows[0]?.at ?? retryAt;
  await deferUntil(work, [key], until);
  await sql`UPDATE grouped_lanes SET not_before = ${until} WHERE lane = ${key} AND not_before < ${until}`.execute(
    tx,
  );
}
