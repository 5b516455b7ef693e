// Pages that stand for somebody being called: what is out of date is not told any more, and news that calls people off
// does not wait.
import { sql } from 'kysely';
import type { EventName } from '#src/domain/names.ts';
import type { Work } from '#src/platform/work.ts';
import { madeAt } from './generic-plans.ts';

/** Events after which nobody has to come, and what they make out of date. */
const OVERTAKES: Partial<Record<EventName, readonly EventName[]>> = {
  acknowledged: ['opened', 'escalated'],
  resolved: ['opened', 'escalated', 'acknowledged'],
  discarded: ['opened', 'escalated', 'acknowledged'],
};

/** Whether it calls people off. */
export const callsOff = (event: EventName): boolean => event in OVERTAKES;

/** `error` of a delivery that was cancelled because it was out of date. */
export const OVERTAKEN = 'overtaken';

/**
 * Takes out of the lane of one incident what waits to be told and is out of date with `event`: a provider that comes back
 * must not call anybody for what somebody has, or what is over (docs/rules/notifications.md#overtaken-pages).
 */
export async function overtake({ tx, now }: Work, lanes: readonly string[], event: EventName): Promise<void> {
  const events = OVERTAKES[event];
  if (!events || lanes.length === 0) return;
  const { rows } = await sql<{ id: string; created_at: Date }>`
    DELETE FROM delivery_queue q USING outbox o
    WHERE q.lane = ANY(${[...lanes]}::text[]) AND (q.leased_until IS NULL OR q.leased_until <= ${now})
      AND o.id = q.event_id AND o.created_at = q.created_at AND o.event = ANY(${[...events]}::text[])
    RETURNING q.delivery_id AS id, q.created_at`.execute(tx);
  if (rows.length === 0) return;
  const overtaken = madeAt(
    rows.map(({ id }) => id),
    rows.map(({ created_at }) => created_at),
  );
  await sql`UPDATE deliveries
    SET state = 'cancelled', error = ${OVERTAKEN}, finished_at = ${now}, next_attempt_at = NULL WHERE ${overtaken}`.execute(
    tx,
  );
}

/** Has the lanes of groups told of now, whatever distance their messages keep; not where a provider is failing. */
export async function hurry({ tx, now }: Work, lanes: readonly string[]): Promise<void> {
  if (lanes.length === 0) return;
  await sql`UPDATE delivery_queue SET next_attempt_at = ${now}
    WHERE lane = ANY(${[...lanes]}::text[]) AND attempts = 0 AND leased_until IS NULL`.execute(tx);
}
