// What was sent to a target, and sending it once more.
import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import type { ReplyOf } from '../platform/contract.ts';
import type { Page } from '../platform/http/page.ts';
import { notFound } from '../platform/refusals.ts';
import { unix, unixOrNull } from '../platform/unix.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import type { listDeliveries as listOperation } from './contract.ts';
import { wakeDesksFor } from './desk/wake.ts';
import { targetOf } from './show-target.ts';

type Delivery = ReplyOf<typeof listOperation>[number];

function select(db: Database | Tx, orgId: string, targetId: string) {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('target_id', '=', targetId);
}

type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;

function show(row: Row): Delivery {
  return {
    id: row.id,
    event: row.event,
    created_at_unix: unix(row.created_at),
    attempts: row.attempts,
    ok: row.state === 'delivered',
    status_code: row.status_code,
    error: row.state === 'cancelled' ? 'cancelled: the target was off' : row.error,
    next_attempt_at_unix: unixOrNull(row.next_attempt_at),
  };
}

/** One delivery to a target of an organization; 404 when unknown. */
export async function deliveryOf(
  db: Database,
  orgId: string,
  targetId: string,
  deliveryId: string,
): Promise<Row> {
  const row = await select(db, orgId, targetId).where('id', '=', deliveryId).executeTakeFirst();
  return row ?? notFound('delivery');
}

/** Deliveries of a target, newest first; `before` is a delivery id of the same target. */
export async function listDeliveries(
  db: Database,
  orgId: string,
  targetId: string,
  { limit, before }: Page,
): Promise<Delivery[]> {
  await targetOf(db, orgId, targetId);
  let query = select(db, orgId, targetId);
  if (before !== null) {
    const { seq } = await deliveryOf(db, orgId, targetId, before);
    query = query.where('seq', '<', seq);
  }
  const rows = await query.orderBy('seq', 'desc').limit(limit).execute();
  return rows.map(show);
}

/** Puts a finished delivery back at its place in its lane: same event id, same bytes. A pending one is only hurried. */
export async function replayDelivery(
  work: Work,
  orgId: string,
  targetId: string,
  deliveryId: string,
): Promise<Delivery> {
  const { tx, now } = work;
  await targetOf(tx, orgId, targetId);
  const row = await tx
    .updateTable('deliveries')
    .set({
      state: 'pending',
      attempts: sql`CASE WHEN state = 'pending' THEN attempts ELSE 0 END`,
      next_attempt_at: now,
      finished_at: null,
    })
    .where('org_id', '=', orgId)
    .where('target_id', '=', targetId)
    .where('id', '=', deliveryId)
    .returningAll()
    .executeTakeFirst();
  if (!row) return notFound('delivery');
  // Whatever waits behind it waits for nothing else.
  await tx
    .updateTable('deliveries')
    .set({ next_attempt_at: now })
    .where('lane', '=', row.lane)
    .where('state', '=', 'pending')
    .where('next_attempt_at', '>', now)
    .execute();
  await wakeDesksFor(work, row.created_at);
  await recordActivity(work, {
    orgId,
    action: 'webhook.replay',
    resource: { kind: 'delivery', id: deliveryId, name: row.event },
  });
  return show(row);
}
