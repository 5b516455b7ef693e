// The delivery queue: waking workers, and moving or cancelling deliveries. A row of `delivery_queue` stands for one pending
// delivery; `deliveries` is the list that people see.
import { randomBytes } from 'node:crypto';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { CHANNEL_FAMILIES, type EventName } from '#src/domain/names.ts';
import type { DB } from '#src/platform/db/tables.ts';
import { inTransaction, type Tx } from '#src/platform/db/transaction.ts';
import { afterCommit, type Database, type Work } from '#src/platform/work.ts';
import type { Exchange } from '../channels/channel.ts';
import { groupOfKey } from '../ordering-key.ts';
import type { Attempt, Outgoing } from './send.ts';

export const DELIVERIES_CHANNEL = 'tocsin_deliveries';

/** Identifies this process: its own workers are woken after the commit and ignore its notifications. */
const PROCESS_ID = randomBytes(8).toString('hex');

export type Worker = {
  db: Database;
  wake: () => void;
  /** Sends these deliveries, which are leased to it. */
  take: (attempts: readonly Attempt[]) => void;
  /**
   * Renders and signs messages that it may be handed, once this process would only wait for the database: their requests by the id
   * of the delivery. What is missing its attempt renders.
   */
  render: (messages: readonly Outgoing[]) => ReadonlyMap<string, readonly Exchange[]>;
};

const workers = new Set<Worker>();

/** Registers a worker of this process to be woken and to be handed deliveries; returns the function that unregisters it. */
export function registerWorker(worker: Worker): () => void {
  workers.add(worker);
  return () => void workers.delete(worker);
}

/** The worker of this process for a database. */
export const workerOf = (db: Database): Worker | null =>
  [...workers].findLast((worker) => worker.db === db) ?? null;

export const wakeOwnWorkers = (): void => {
  for (const { wake } of workers) wake();
};

/** Wakes the workers once this unit of work is committed: those of this process at once, the others by NOTIFY. */
export async function wakeWorkers(work: Work): Promise<void> {
  afterCommit(work, wakeOwnWorkers);
  await wakingOtherWorkers().execute(work.tx);
}

/** The statement that wakes the workers of other processes once its unit of work is committed. */
export const wakingOtherWorkers = (): RawBuilder<unknown> =>
  // PostgreSQL merges equal notifications of one transaction into one.
  sql`SELECT pg_notify(${DELIVERIES_CHANNEL}, ${PROCESS_ID})`;

/** Whether a notification comes from another process. */
export const isFromOtherProcess = (payload: string): boolean => payload !== PROCESS_ID;

/** The rows with these ids, which were created at these instants: only the partitions in between are read. */
export function madeAt(ids: readonly string[], instants: readonly Date[]): RawBuilder<boolean> {
  const [first = new Date(0)] = instants;
  let oldest = first;
  let newest = first;
  for (const at of instants) {
    if (at < oldest) oldest = at;
    if (at > newest) newest = at;
  }
  return sql<boolean>`id = ANY(${ids}::text[]) AND created_at >= ${oldest} AND created_at <= ${newest}`;
}

/** The kinds of paging targets. */
export const PAGING = Object.entries(CHANNEL_FAMILIES).flatMap(([kind, family]) =>
  family === 'paging' ? [kind] : [],
);
const FIRST: readonly EventName[] = ['opened'];
const SECOND: readonly EventName[] = ['acknowledged', 'resolved', 'escalated'];

/**
 * How urgent an event is for a kind of target. 0: it wakes people. 1: it calls them off, or calls more of them. 2: the rest.
 * Deliveries of one ordering key stay in order, however urgent the later ones are.
 */
export const urgencyIn = (event: RawBuilder<string>, kind: RawBuilder<string>): RawBuilder<number> => sql`
  CASE WHEN ${kind} = ANY(${PAGING}::text[]) OR ${event} = ANY(${[...FIRST]}::text[]) THEN 0
    WHEN ${event} = ANY(${[...SECOND]}::text[]) THEN 1 ELSE 2 END`;

/** Whether nothing precedes the delivery `q` under its ordering key. A held page of a storm holds back nothing of its other alarms. */
export const isFirst = sql`NOT EXISTS (SELECT FROM delivery_queue e WHERE e.lane = q.lane AND e.seq < q.seq
  AND (e.next_attempt_at < 'infinity' OR e.lane NOT LIKE '%:group:%'))`;

/** When the next delivery falls due or the next lease expires; null: neither is pending. Held pages are never due. */
export async function nextDue(db: Database, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT min(next_attempt_at) AS at FROM delivery_queue
    WHERE next_attempt_at > ${now} AND next_attempt_at < 'infinity'`.execute(db);
  return rows[0]?.at ?? null;
}

/** Moves deliveries of these ordering keys that are due before `until`, and not being sent, to `until`; people see it. */
export async function deferUntil({ tx, now }: Work, keys: readonly string[], until: Date): Promise<void> {
  const { rows } = await sql<{ id: string; created_at: Date }>`
    UPDATE delivery_queue SET next_attempt_at = ${until}
    WHERE lane = ANY(${keys}::text[]) AND next_attempt_at < ${until} AND (leased_until IS NULL OR leased_until <= ${now})
    RETURNING delivery_id AS id, created_at`.execute(tx);
  if (rows.length === 0) return;
  const moved = madeAt(
    rows.map(({ id }) => id),
    rows.map(({ created_at }) => created_at),
  );
  await sql`UPDATE deliveries SET next_attempt_at = ${until} WHERE ${moved}`.execute(tx);
}

/**
 * Puts a finished delivery back at its place, due now. A waiting one becomes due now, and so do those around it unless they are
 * held; one that is being sent is left alone. Its target is locked.
 */
export async function requeue(work: Work, delivery: Selectable<DB['deliveries']>): Promise<void> {
  const { tx, now } = work;
  const { seq, id, created_at, event_id, event, org_id, target_id, lane } = delivery;
  await sql`
    INSERT INTO delivery_queue (seq, delivery_id, created_at, event_id, org_id, target_id, lane, urgency, next_attempt_at)
    SELECT ${seq}, ${id}, ${created_at}, ${event_id}, ${org_id}, t.id, ${lane}, ${urgencyIn(sql`${event}`, sql`t.kind`)}, ${now}
    FROM webhook_targets t WHERE t.id = ${target_id}
    ON CONFLICT (seq) DO NOTHING`.execute(tx);
  // The row of a group may have been deleted since; no worker claims deliveries of a group without one.
  if (groupOfKey(lane) !== null)
    await sql`INSERT INTO grouped_lanes (lane, org_id, not_before) VALUES (${lane}, ${org_id}, ${now})
      ON CONFLICT (lane) DO NOTHING`.execute(tx);
  await sql`
    WITH moved AS (
      UPDATE delivery_queue SET next_attempt_at = ${now}
      WHERE lane = ${lane} AND next_attempt_at > ${now} AND (leased_until IS NULL OR leased_until <= ${now})
        AND (next_attempt_at < 'infinity' OR seq = ${seq})
      RETURNING delivery_id, created_at
    )
    UPDATE deliveries d SET next_attempt_at = ${now}
    FROM moved m WHERE d.id = m.delivery_id AND d.created_at = m.created_at`.execute(tx);
}

/** Queues deliveries that were imported as pending, due at the time they name. */
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

/** Cancels pending deliveries of a target that is off or deleted; a replay brings them back once the target is on again. */
export async function cancelWaiting({ tx, now }: Work, targetId: string): Promise<void> {
  await cancel(sql`q.target_id = ${targetId}`, now).execute(tx);
}

/** Cancels pending deliveries of every target that is off or deleted, so that a target switched on again starts with new events. */
export async function cancelUnwanted(db: Database, now: Date): Promise<void> {
  await cancel(
    sql`NOT EXISTS (SELECT FROM webhook_targets t WHERE t.id = q.target_id AND t.active)`,
    now,
  ).execute(db);
}

/** A delivery that is being sent is left to its worker, which looks at the target when it records the outcome. */
const cancel = (unwanted: RawBuilder<unknown>, now: Date) => sql`
  WITH dropped AS (
    DELETE FROM delivery_queue q WHERE ${unwanted} AND (q.leased_until IS NULL OR q.leased_until <= ${now})
    RETURNING q.delivery_id, q.created_at, q.attempts
  )
  UPDATE deliveries d SET state = 'cancelled', finished_at = ${now}, next_attempt_at = NULL, attempts = x.attempts
  FROM dropped x WHERE d.id = x.delivery_id AND d.created_at = x.created_at`;

/** Counts deliveries, up to 1,000, that have been due since `before` while nobody sends anything to their target. */
export async function countOverdue(db: Database, before: Date, now: Date): Promise<number> {
  const count = async (tx: Tx) => {
    const { rows } = await sql<{ overdue: number }>`
      SELECT count(*)::int AS overdue FROM (
        SELECT FROM delivery_queue q JOIN webhook_targets t ON t.id = q.target_id AND t.active
        WHERE q.next_attempt_at < ${before}
          AND NOT EXISTS (SELECT FROM delivery_queue l
            WHERE l.target_id = q.target_id AND l.leased_until IS NOT NULL AND l.leased_until > ${now})
          AND ${isFirst}
        LIMIT 1000
      ) overdue`.execute(tx);
    return rows[0]?.overdue ?? 0;
  };
  return inTransaction(db, count, { keepPlans: true });
}

/**
 * Due deliveries, up to 1,000, of organizations for which, and for whose owner, nothing is being sent. Leaves out deliveries
 * behind another of their key, and those to failing or slow targets. `oldestSeconds` is how long the first of them has been
 * due.
 */
export async function dueDeliveries(
  db: Database,
  now: Date,
): Promise<{ count: number; oldestSeconds: number }> {
  const count = async (tx: Tx) => {
    const { rows } = await sql<{ count: number; oldest: number | null }>`
      WITH served AS MATERIALIZED (
        SELECT DISTINCT l.org_id, f.user_id AS owner FROM delivery_queue l LEFT JOIN first_owners f ON f.org_id = l.org_id
        WHERE l.leased_until IS NOT NULL AND l.leased_until > ${now}
      )
      SELECT count(*)::int AS count, extract(epoch FROM ${now}::timestamptz - min(at))::float8 AS oldest FROM (
        SELECT q.next_attempt_at AS at FROM delivery_queue q
        JOIN webhook_targets t ON t.id = q.target_id AND t.active AND t.failing_since IS NULL AND NOT t.slow
        WHERE q.next_attempt_at <= ${now}
          AND NOT EXISTS (SELECT FROM served s WHERE s.org_id = q.org_id
            OR s.owner = (SELECT user_id FROM first_owners f WHERE f.org_id = q.org_id))
          AND ${isFirst}
        ORDER BY q.next_attempt_at LIMIT 1000
      ) due`.execute(tx);
    return { count: rows[0]?.count ?? 0, oldestSeconds: rows[0]?.oldest ?? 0 };
  };
  return inTransaction(db, count, { keepPlans: true });
}
