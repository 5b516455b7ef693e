// A page calls a person. A pending event that a later one supersedes, or whose fire drill is over, is cancelled, so that nobody
// is called for nothing.
import { type RawBuilder, sql } from 'kysely';
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
/** `error` of one that was cancelled because its fire drill ended. */
export const DRILL_OVER = 'drill_over';

/** Whether an event supersedes any other. */
export const supersedes = (event: EventName): boolean => event in SUPERSEDES;

/** The statement that cancels the deliveries of queue rows which were deleted as `dropped`. */
export const cancelDropped = (now: Date): RawBuilder<unknown> => sql`
  UPDATE deliveries d SET state = 'cancelled', error = ${SUPERSEDED}, finished_at = ${now}, next_attempt_at = NULL
  FROM dropped x WHERE d.id = x.delivery_id AND d.created_at = x.created_at`;

type Superseding = { lane: string; event: EventName; incidentId: string | null };

/**
 * Cancels pending deliveries that one of these events, of the same ordering key and incident, supersedes: a provider that is
 * back must page nobody for an incident that is acknowledged or over (docs/rules/notifications.md#overtaken-pages). Those of a
 * storm that were not tried yet stay: they share a message with what supersedes them.
 */
export async function cancelSuperseded(
  { tx, now }: Work,
  superseding: readonly Superseding[],
): Promise<void> {
  if (superseding.length === 0) return;
  const isWaiting = sql`(q.leased_until IS NULL OR q.leased_until <= ${now}) AND (q.attempts > 0 OR q.lane NOT LIKE '%:group:%')`;
  const keys = [...new Set(superseding.map(({ lane }) => lane))];
  // Most often nothing waits: the partitions of the outbox are then left alone.
  const { rows: waiting } = await sql<{ lane: string; event_id: string; created_at: Date }>`
    SELECT q.lane, q.event_id, q.created_at FROM delivery_queue q
    WHERE q.lane = ANY(${keys}::text[]) AND ${isWaiting}`.execute(tx);
  for (const [event, those] of Map.groupBy(superseding, (each) => each.event)) {
    const own = new Set(those.map(({ lane }) => lane));
    const these = waiting.filter(({ lane }) => own.has(lane));
    if (these.length === 0) continue;
    const events = madeAt(
      these.map(({ event_id }) => event_id),
      these.map(({ created_at }) => created_at),
    );
    await sql`
      WITH o AS (
        SELECT id, created_at FROM outbox WHERE ${events} AND event = ANY(${[...(SUPERSEDES[event] ?? [])]}::text[])
          AND incident_id = ANY(${those.flatMap(({ incidentId }) => incidentId ?? [])}::text[])
      ), dropped AS (
        DELETE FROM delivery_queue q USING o
        WHERE q.lane = ANY(${[...own]}::text[]) AND ${isWaiting} AND o.id = q.event_id AND o.created_at = q.created_at
        RETURNING q.delivery_id, q.created_at
      )
      ${cancelDropped(now)}`.execute(tx);
  }
}

type Tried = { seq: number; event: string; incident_id: string | null };

/**
 * Cancels those of these deliveries of paging targets whose incident was acknowledged, ended, or was deleted with its monitor while
 * they were being sent: no event after it could. Returns them by `seq`.
 */
export async function cancelOutdated(
  { tx, now }: Work,
  tried: readonly Tried[],
): Promise<ReadonlySet<number>> {
  if (tried.length === 0) return new Set();
  const given = tried.map(({ seq, event, incident_id }) => ({ seq, event, incident_id }));
  const { rows } = await sql<{ seq: number }>`
    WITH dropped AS (
      DELETE FROM delivery_queue q
      USING jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS x (seq bigint, event text, incident_id text)
        LEFT JOIN incidents i ON i.id = x.incident_id
      WHERE q.seq = x.seq AND (x.event = ANY(${[...(SUPERSEDES.acknowledged ?? [])]}::text[]) AND i.acknowledged_at IS NOT NULL
        OR x.event = ANY(${[...(SUPERSEDES.resolved ?? [])]}::text[]) AND (i.id IS NULL OR i.status <> 'open'))
      RETURNING q.seq, q.delivery_id, q.created_at
    )
    ${cancelDropped(now)} RETURNING x.seq`.execute(tx);
  return new Set(rows.map(({ seq }) => seq));
}

/** A message that was cancelled. */
export type Dropped = {
  targetId: string;
  attempts: number;
  /** Why its last attempt failed. */
  error: string | null;
};

/** Cancels the pending deliveries of these ordering keys, of a fire drill that is over; one that is being sent stays. */
export async function cancelOfDrill(
  { tx, now }: Work,
  orgId: string,
  keys: readonly string[],
): Promise<Dropped[]> {
  const { rows } = await sql<Dropped>`
    WITH dropped AS (
      DELETE FROM delivery_queue q
      WHERE q.lane = ANY(${[...keys]}::text[]) AND q.org_id = ${orgId} AND (q.leased_until IS NULL OR q.leased_until <= ${now})
      RETURNING q.delivery_id, q.created_at, q.target_id, q.attempts
    )
    UPDATE deliveries d
    SET state = 'cancelled', error = ${DRILL_OVER}, finished_at = ${now}, next_attempt_at = NULL, attempts = x.attempts
    FROM dropped x JOIN deliveries before ON before.id = x.delivery_id AND before.created_at = x.created_at
    WHERE d.id = x.delivery_id AND d.created_at = x.created_at
    RETURNING x.target_id AS "targetId", x.attempts, before.error`.execute(tx);
  return rows;
}
