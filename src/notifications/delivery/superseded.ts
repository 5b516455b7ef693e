// A page calls a person. A pending event that a later one supersedes is cancelled, so that nobody is called for nothing.
import { sql } from 'kysely';
import type { EventName } from '#src/domain/names.ts';
import type { Work } from '#src/platform/work.ts';
import { madeAt } from './queue.ts';

/** Events after which nobody needs to respond, each with the events that it supersedes. */
const SUPERSEDES: Partial<Record<EventName, readonly EventName[]>> = {
  acknowledged: ['opened', 'escalated'],
  resolved: ['opened', 'escalated', 'acknowledged'],
  discarded: ['opened', 'escalated', 'acknowledged'],
};

/** `error` of a delivery that was cancelled because a later event superseded it. */
export const SUPERSEDED = 'overtaken';

/**
 * Cancels pending deliveries of these ordering keys, of one incident each, that `event` supersedes: a provider that is back
 * must page nobody for an incident that is acknowledged or over (docs/rules/notifications.md#overtaken-pages).
 */
export async function cancelSuperseded(
  { tx, now }: Work,
  keys: readonly string[],
  event: EventName,
): Promise<void> {
  const events = SUPERSEDES[event];
  if (!events || keys.length === 0) return;
  const { rows } = await sql<{ id: string; created_at: Date }>`
    DELETE FROM delivery_queue q USING outbox o
    WHERE q.lane = ANY(${[...keys]}::text[]) AND (q.leased_until IS NULL OR q.leased_until <= ${now})
      AND o.id = q.event_id AND o.created_at = q.created_at AND o.event = ANY(${[...events]}::text[])
    RETURNING q.delivery_id AS id, q.created_at`.execute(tx);
  if (rows.length === 0) return;
  const superseded = madeAt(
    rows.map(({ id }) => id),
    rows.map(({ created_at }) => created_at),
  );
  await sql`UPDATE deliveries
    SET state = 'cancelled', error = ${SUPERSEDED}, finished_at = ${now}, next_attempt_at = NULL WHERE ${superseded}`.execute(
    tx,
  );
}
