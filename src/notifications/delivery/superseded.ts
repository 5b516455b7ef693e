// A page calls a person. A pending event that a later one supersedes, or whose fire drill is over, is cancelled, so that nobody
// is called for nothing.
import { type RawBuilder, sql } from 'kysely';
import { CHANNEL_FAMILIES, type EventName } from '#src/domain/names.ts';
import type { Tx, Work } from '#src/platform/work.ts';
import { WAKING } from '../channels/paging.ts';
import { groupOfKey, groupOrderingKeyOf, orderingKeyOf } from '../ordering-key.ts';
import type { Target } from '../routing-data.ts';

/** Events after which nobody needs to respond, each with the events that it supersedes. */
const SUPERSEDES: Partial<Record<EventName, readonly EventName[]>> = {
  acknowledged: WAKING,
  resolved: [...WAKING, 'acknowledged'],
  discarded: [...WAKING, 'acknowledged'],
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
 * storm that were not tried yet stay: they share a message with what supersedes them. Answers the ordering keys of storms that lost
 * one.
 */
export async function cancelSuperseded(
  { tx, now }: Work,
  superseding: readonly Superseding[],
): Promise<ReadonlySet<string>> {
  const ofStorms = new Set<string>();
  if (superseding.length === 0) return ofStorms;
  const waitingOf = (keys: ReadonlySet<string>) => sql`q.lane = ANY(${[...keys]}::text[])
    AND (q.leased_until IS NULL OR q.leased_until <= ${now}) AND (q.attempts > 0 OR q.lane NOT LIKE '%:group:%')`;
  // Most often nothing waits: the partitions of the outbox are then left alone.
  const { rows } = await sql<{ oldest: Date | null; newest: Date | null }>`
    SELECT min(q.created_at) AS oldest, max(q.created_at) AS newest FROM delivery_queue q
    WHERE ${waitingOf(new Set(superseding.map(({ lane }) => lane)))}`.execute(tx);
  const [{ oldest, newest } = { oldest: null, newest: null }] = rows;
  if (oldest === null) return ofStorms;
  for (const [event, those] of Map.groupBy(superseding, (each) => each.event)) {
    const waiting = waitingOf(new Set(those.map(({ lane }) => lane)));
    // Arrays, not joins: a storm fills the queue before the planner has statistics of it, and would get one look-up per pair.
    const { rows: dropped } = await sql<{ lane: string }>`
      WITH dropped AS (
        DELETE FROM delivery_queue q WHERE ${waiting} AND q.event_id = ANY(ARRAY(
          SELECT id FROM outbox WHERE id = ANY(ARRAY(SELECT q.event_id FROM delivery_queue q WHERE ${waiting}))
            AND created_at >= ${oldest} AND created_at <= ${newest} AND event = ANY(${[...(SUPERSEDES[event] ?? [])]}::text[])
            AND incident_id = ANY(${those.flatMap(({ incidentId }) => incidentId ?? [])}::text[])))
        RETURNING q.delivery_id, q.created_at, q.lane
      )
      ${cancelDropped(now)} RETURNING x.lane`.execute(tx);
    // When the message of a group is due, ./group-due.ts decides.
    const alone = new Set<string>();
    for (const { lane } of dropped) (groupOfKey(lane) === null ? alone : ofStorms).add(lane);
    await releaseFollowers(tx, [...alone], now);
  }
  return ofStorms;
}

/** What waited behind dropped deliveries of these keys, a note for example, is due now: it must not hold back what overtook them. */
async function releaseFollowers(tx: Tx, keys: readonly string[], now: Date): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    WITH moved AS (
      UPDATE delivery_queue q SET next_attempt_at = ${now}
      WHERE q.lane = ANY(${keys}::text[]) AND q.attempts = 0 AND q.next_attempt_at > ${now} AND q.next_attempt_at < 'infinity'
        AND NOT EXISTS (SELECT FROM delivery_queue e WHERE e.lane = q.lane AND e.seq < q.seq AND e.attempts > 0)
      RETURNING q.delivery_id, q.created_at
    )
    UPDATE deliveries d SET next_attempt_at = ${now} FROM moved m WHERE d.id = m.delivery_id AND d.created_at = m.created_at`.execute(
    tx,
  );
}

/**
 * Does the same, for pages, at those of these targets that get none of the events, because they are not subscribed. An
 * acknowledgement that waits there stays: it is the last that they hear. Call it after the deliveries of the events are
 * written: when these are due depends on what waits.
 */
export async function cancelUnannounced(
  work: Work,
  targets: readonly Pick<Target, 'id' | 'kind' | 'events'>[],
  events: readonly { event: EventName; incidentId: string; groupNo: number | null }[],
): Promise<void> {
  const paging = targets.filter(({ kind }) => CHANNEL_FAMILIES[kind] === 'paging');
  const superseding = events.flatMap(({ event, incidentId, groupNo }) =>
    paging
      .filter((target) => supersedes(event) && !target.events.includes(event))
      .map(({ id }) => ({
        lane: groupNo === null ? orderingKeyOf(id, incidentId) : groupOrderingKeyOf(id, groupNo),
        // Supersedes pages, and nothing else.
        event: 'acknowledged' as const,
        incidentId,
      })),
  );
  if (superseding.length === 0) return;
  const keys = superseding.map(({ lane }) => lane);
  // No worker claims a group meanwhile: it would wait for a row that this deletes, and this for another that it has locked.
  await sql`SELECT FROM grouped_lanes WHERE lane = ANY(${keys}::text[]) ORDER BY lane FOR NO KEY UPDATE`.execute(
    work.tx,
  );
  const ofStorms = await cancelSuperseded(work, superseding);
  if (ofStorms.size === 0) return;
  // No message follows that says how the storm is. The page may have arrived although its attempt failed.
  await sql`UPDATE grouped_lanes SET uncertain = true WHERE lane = ANY(${[...ofStorms]}::text[])`.execute(
    work.tx,
  );
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
      WHERE q.seq = x.seq AND (x.event = ANY(${WAKING}::text[])
          AND (i.id IS NULL OR i.acknowledged_at IS NOT NULL OR i.status <> 'open')
        OR x.event = 'acknowledged' AND (i.id IS NULL OR i.status <> 'open') AND EXISTS (SELECT FROM webhook_targets t
          WHERE t.id = q.target_id AND CASE WHEN i.discarded THEN 'discarded' ELSE 'resolved' END = ANY(t.events)))
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
