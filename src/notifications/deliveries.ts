// The deliveries of a target, and replaying one.
import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { CHANNEL_FAMILIES, type ChannelName } from '../domain/names.ts';
import type { ReplyOf } from '../platform/contract.ts';
import type { Page } from '../platform/http/page.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import { unix, unixOrNull } from '../platform/unix.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import type { getDelivery as getOperation, listDeliveries as listOperation } from './contract.ts';
import { requeue, wakeWorkers } from './delivery/queue.ts';
import { DRILL_OVER, SUPERSEDED } from './delivery/superseded.ts';
import { targetOf } from './targets/show-target.ts';

type Delivery = ReplyOf<typeof listOperation>[number];

function select(db: Database | Tx, orgId: string, targetId: string) {
  return db
    .selectFrom('deliveries')
    .leftJoin('outbox', (join) =>
      join
        .onRef('outbox.id', '=', 'deliveries.event_id')
        // The day decides in which partition it is.
        .onRef('outbox.created_at', '=', 'deliveries.created_at'),
    )
    .selectAll('deliveries')
    .select([NAME.as('name'), idOf('monitor').as('monitor_id'), idOf('incident').as('incident_id')])
    .select([idOf('maintenance').as('maintenance_id')])
    .where('deliveries.org_id', '=', orgId)
    .where('deliveries.target_id', '=', targetId);
}

const EVENT = sql`outbox.body::jsonb`;
const idOf = (noun: 'monitor' | 'incident' | 'maintenance') =>
  sql<string | null>`${EVENT} #>> ARRAY[${noun}, 'id']`;
const NAME = sql<string | null>`coalesce(${EVENT} #>> '{monitor,name}', ${EVENT} #>> '{incident,cause}',
  ${EVENT} #>> '{maintenance,title}')`;

type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;

function show(row: Row): Delivery {
  return {
    id: row.id,
    event: row.event,
    created_at_unix: unix(row.created_at),
    attempts: row.attempts,
    ok: row.state === 'delivered',
    status_code: row.status_code,
    error: row.state === 'cancelled' ? whyCancelled(row) : row.error,
    next_attempt_at_unix: unixOrNull(row.next_attempt_at),
    about: {
      name: row.name,
      monitor_id: row.monitor_id,
      incident_id: row.incident_id,
      maintenance_id: row.maintenance_id,
    },
  };
}

function whyCancelled({ error }: Row): string {
  if (error === SUPERSEDED)
    return 'overtaken: the incident was acknowledged or over before this could be sent';
  return error === DRILL_OVER ? 'cancelled: the fire drill was over' : 'cancelled: the target was off';
}

/** One delivery to a target of an organization; 404 when unknown. */
export async function deliveryOf(
  db: Database | Tx,
  orgId: string,
  targetId: string,
  deliveryId: string,
): Promise<Row> {
  const row = await select(db, orgId, targetId).where('deliveries.id', '=', deliveryId).executeTakeFirst();
  return row ?? notFound('delivery');
}

/** One delivery with the event that it carries; 404 when unknown. */
export async function showDelivery(
  db: Database,
  orgId: string,
  targetId: string,
  deliveryId: string,
): Promise<ReplyOf<typeof getOperation>> {
  const row = await deliveryOf(db, orgId, targetId, deliveryId);
  const { body } = await db
    .selectFrom('outbox')
    .select('body')
    .where('id', '=', row.event_id)
    .where('created_at', '=', row.created_at)
    .executeTakeFirstOrThrow();
  return { ...show(row), event_id: row.event_id, event_body: body };
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
    query = query.where('deliveries.seq', '<', seq);
  }
  const rows = await query.orderBy('deliveries.seq', 'desc').limit(limit).execute();
  return rows.map(show);
}

/** Refuses to replay a page of a drill that is over: it would stay open. */
async function refuseFormerDrill(tx: Tx, orgId: string, { event, event_id, created_at }: Row): Promise<void> {
  if (event !== 'test') return;
  const { rows } = await sql`
    SELECT FROM outbox o JOIN fire_drills d ON d.id = o.incident_id AND d.org_id = o.org_id
    WHERE o.id = ${event_id} AND o.created_at = ${created_at} AND o.org_id = ${orgId} AND d.ended_at IS NOT NULL`.execute(
    tx,
  );
  if (rows.length > 0) refuse('incident_closed', 'The fire drill is over: start another one instead.');
}

/** Refuses to replay a page of an incident that is over: it would page somebody, and nothing would close it again. */
async function refuseFalsePage(tx: Tx, orgId: string, { event, event_id, created_at }: Row): Promise<void> {
  if (event !== 'opened' && event !== 'escalated' && event !== 'acknowledged') return;
  const { rows } = await sql`
    SELECT FROM outbox o JOIN incidents i ON i.id = o.incident_id AND i.org_id = o.org_id
    WHERE o.id = ${event_id} AND o.created_at = ${created_at} AND o.org_id = ${orgId} AND i.status = 'open'`.execute(
    tx,
  );
  if (rows.length === 0)
    refuse(
      'incident_closed',
      'The incident is closed: replaying this would page somebody for an incident that is over.',
    );
}

/** Chat and paging targets are notified of an incident together with its current group. */
const currentKey = (kind: string) =>
  CHANNEL_FAMILIES[kind as ChannelName] === 'webhook'
    ? sql<string>`lane`
    : sql<string>`coalesce((SELECT deliveries.target_id || ':group:' || i.group_no
        FROM outbox o JOIN incidents i ON i.id = o.incident_id
        WHERE o.id = deliveries.event_id AND o.created_at = deliveries.created_at), lane)`;

/** Queues a finished delivery again, at its place in the order: same event id, same bytes. A pending one is due at once. */
export async function replayDelivery(
  work: Work,
  orgId: string,
  targetId: string,
  deliveryId: string,
): Promise<Delivery> {
  const { tx, now } = work;
  const target = await targetOf(tx, orgId, targetId);
  const delivery = await deliveryOf(tx, orgId, targetId, deliveryId);
  if (!target.active)
    refuse('target_inactive', 'This target is switched off: switch it on before you replay.');
  if (CHANNEL_FAMILIES[target.kind as ChannelName] === 'paging') await refuseFalsePage(tx, orgId, delivery);
  await refuseFormerDrill(tx, orgId, delivery);
  // The same order of locks as when an outcome is recorded: the target first, then its deliveries.
  await sql`SELECT FROM webhook_targets WHERE id = ${targetId} FOR NO KEY UPDATE`.execute(tx);
  const row = await tx
    .updateTable('deliveries')
    .set({
      state: 'pending',
      attempts: sql`CASE WHEN state = 'pending' THEN attempts ELSE 0 END`,
      next_attempt_at: now,
      finished_at: null,
      lane: currentKey(target.kind),
    })
    .where('org_id', '=', orgId)
    .where('target_id', '=', targetId)
    .where('id', '=', deliveryId)
    .returningAll()
    .executeTakeFirst();
  if (!row) return notFound('delivery');
  const { name, monitor_id, incident_id, maintenance_id } = delivery;
  await requeue(work, row);
  await wakeWorkers(work);
  await recordActivity(work, {
    orgId,
    action: 'webhook.replay',
    resource: { kind: 'delivery', id: deliveryId, name: [target.name, name ?? row.event].join(': ') },
  });
  return show({ ...row, name, monitor_id, incident_id, maintenance_id });
}
