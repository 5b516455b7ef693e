// Stop 7 of 8 (docs/architecture.md#from-a-result-to-the-receiver). From ../incidents/announce.ts: the events of an
// organization, in the transaction that changed its incidents. Each event is rendered once, and one pending delivery is
// written for every subscribed target.
// Next, deliver.ts, after the commit: it is woken, and finds the deliveries in the database.
import { sql } from 'kysely';
import { CHANNEL_FAMILIES, type ChannelFamily, type ChannelName, type EventName } from '../domain/names.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import { pipelined } from '../platform/db/pipelined.ts';
import { newId } from '../platform/ids.ts';
import type { Tx, Work } from '../platform/work.ts';
import { channelOf } from './channels/index.ts';
import { bringForward, dueOfGroups } from './delivery/group-due.ts';
import { urgencyIn, wakeWorkers } from './delivery/queue.ts';
import { cancelSuperseded } from './delivery/superseded.ts';
import {
  type EventBody,
  type IncidentPayload,
  type MaintenancePayload,
  type NotePayload,
  renderBody,
} from './event-body.ts';
import { groupOrderingKeyOf, orderingKeyOf } from './ordering-key.ts';

export type OutboxEvent = {
  event: EventName;
  projectId: string | null;
  monitorNo: number | null;
  /** The group of incidents that it belongs to: chat and paging targets get messages about the group. */
  groupNo: number | null;
  incident: IncidentPayload | null;
  note?: NotePayload;
  maintenance?: MaintenancePayload;
};

type Target = {
  id: string;
  kind: ChannelName;
  events: string[];
  /** Its last attempt failed: a delivery may be waiting for a retry. */
  failing: boolean;
};

/** Events that are written with one statement. */
const TOGETHER = 500;

/**
 * Writes events, each rendered once, and their deliveries to active targets of these families that are subscribed to them.
 * An event without a subscriber is not stored.
 */
export async function enqueueEvents(
  work: Work,
  orgId: string,
  events: readonly OutboxEvent[],
  families: readonly ChannelFamily[],
): Promise<void> {
  if (events.length === 0) return;
  const targets = await subscribers(work.tx, orgId, families, new Set(events.map(({ event }) => event)));
  const wanted = events.filter(({ event }) => targets.some((target) => takes(target, event)));
  if (wanted.length === 0) return;
  const organization = await readOrganization(work.tx, orgId);
  for (let i = 0; i < wanted.length; i += TOGETHER)
    await write(work, organization, wanted.slice(i, i + TOGETHER), targets);
}

const takes = ({ events, kind }: Target, event: EventName) =>
  events.includes(event) && channelOf(kind).carries(event);

async function subscribers(
  tx: Tx,
  orgId: string,
  families: readonly ChannelFamily[],
  names: ReadonlySet<EventName>,
): Promise<Target[]> {
  const rows = await tx
    .selectFrom('webhook_targets')
    .select(['id', 'kind', 'events', 'failing_since'])
    .where('org_id', '=', orgId)
    .where('active', '=', true)
    .where(sql<boolean>`events && ${[...names]}::text[]`)
    .orderBy('id')
    .execute();
  return rows.flatMap(({ id, kind, events, failing_since }) => {
    const known = kind as ChannelName;
    return families.includes(CHANNEL_FAMILIES[known])
      ? [{ id, kind: known, events, failing: failing_since !== null }]
      : [];
  });
}

async function write(
  work: Work,
  organization: EventBody['organization'],
  events: readonly OutboxEvent[],
  targets: readonly Target[],
): Promise<void> {
  const { tx, now, actor } = work;
  const [projects, monitors] = await Promise.all([
    readProjects(tx, new Set(events.map(({ projectId }) => projectId))),
    readMonitors(tx, new Set(events.map(({ monitorNo }) => monitorNo))),
  ]);
  const outbox: Record<string, unknown>[] = [];
  const deliveries: Waiting[] = [];
  for (const each of events) {
    const id = newId('evt');
    const { event, incident, note, maintenance } = each;
    const body = renderBody(id, now, {
      event,
      organization,
      project: projects.get(each.projectId ?? '') ?? null,
      monitor: monitors.get(each.monitorNo ?? 0) ?? null,
      incident,
      ...(note ? { note } : {}),
      ...(maintenance ? { maintenance } : {}),
    });
    outbox.push({ id, event, incident_id: incident?.id ?? null, body });
    for (const target of targets) {
      if (!takes(target, event)) continue;
      const { groupNo } = each;
      const grouped = groupNo !== null && CHANNEL_FAMILIES[target.kind] !== 'webhook';
      deliveries.push({
        id: newId('dlv'),
        target_id: target.id,
        lane: grouped
          ? groupOrderingKeyOf(target.id, groupNo)
          : orderingKeyOf(target.id, incident?.id ?? maintenance?.id ?? id),
        grouped,
        paging: CHANNEL_FAMILIES[target.kind] === 'paging',
        failing: target.failing,
        // Nothing can be waiting in front of the first event of an incident.
        behind: !grouped && target.failing && event !== 'opened',
        event_id: id,
        event,
      });
    }
  }
  await cancelSupersededPages(work, deliveries);
  const grouped = deliveries.filter((delivery) => delivery.grouped);
  const dueOf = await dueOfGroups(work, organization.id, grouped);
  const timed = deliveries.map((delivery) => ({ ...delivery, due: dueOf.get(delivery.lane) ?? now }));
  await pipelined(
    () =>
      sql`INSERT INTO outbox (id, created_at, org_id, event, incident_id, body, actor_user_id)
      SELECT id, ${now}, ${organization.id}, event, incident_id, body, ${actor.kind === 'user' ? actor.id : null}
      FROM jsonb_to_recordset(${JSON.stringify(outbox)}::jsonb) AS o (id text, event text, incident_id text, body text)`.execute(
        tx,
      ),
    // A delivery behind one that waits for a retry is not due before it. That only saves looks: the worker keeps the order.
    () =>
      sql`WITH made AS (
        INSERT INTO deliveries (id, created_at, org_id, target_id, lane, event_id, event, state, next_attempt_at)
        SELECT d ->> 'id', ${now}, ${organization.id}, d ->> 'target_id', d ->> 'lane', d ->> 'event_id', d ->> 'event',
          'pending', greatest((d ->> 'due')::timestamptz, CASE WHEN (d ->> 'behind')::boolean THEN
            (SELECT max(q.next_attempt_at) FROM delivery_queue q WHERE q.lane = d ->> 'lane') END)
        FROM jsonb_array_elements(${JSON.stringify(timed)}::jsonb) WITH ORDINALITY AS each (d, no) ORDER BY no
        RETURNING seq, id, created_at, event_id, event, org_id, target_id, lane, next_attempt_at
      )
      INSERT INTO delivery_queue
        (seq, delivery_id, created_at, event_id, org_id, target_id, lane, urgency, next_attempt_at)
      SELECT m.seq, m.id, m.created_at, m.event_id, m.org_id, m.target_id, m.lane,
        ${urgencyIn(sql`m.event`, sql`t.kind`)}, m.next_attempt_at
      FROM made m JOIN webhook_targets t ON t.id = m.target_id`.execute(tx),
    () => bringForward(work, dueOf),
    () => wakeWorkers(work),
  );
}

/** Cancels pending pages that these events make out of date. A target whose last attempt arrived has none. */
async function cancelSupersededPages(work: Work, deliveries: readonly Waiting[]): Promise<void> {
  const late = deliveries.filter(({ failing, paging, grouped }) => failing && paging && !grouped);
  for (const [event, own] of Map.groupBy(late, (each) => each.event))
    await cancelSuperseded(work, [...new Set(own.map(({ lane }) => lane))], event);
}

type Waiting = {
  id: string;
  target_id: string;
  lane: string;
  grouped: boolean;
  paging: boolean;
  failing: boolean;
  behind: boolean;
  event_id: string;
  event: EventName;
};

export async function readOrganization(tx: Tx, orgId: string): Promise<EventBody['organization']> {
  return tx
    .selectFrom('organizations')
    .select(['id', 'name', 'slug'])
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
}

async function readProjects(tx: Tx, ids: ReadonlySet<string | null>) {
  const rows = await tx
    .selectFrom('projects')
    .select(['id', 'name', 'slug'])
    .where('id', '=', sql<string>`ANY(${[...ids].filter((id) => id !== null)}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

async function readMonitors(tx: Tx, nos: ReadonlySet<number | null>) {
  const rows = await tx
    .selectFrom('monitors')
    .select(['no', 'id', 'name', 'type'])
    .where('no', '=', sql<number>`ANY(${pgArray([...nos].filter((no) => no !== null))}::int[])`)
    .execute();
  return new Map(rows.map(({ no, ...monitor }) => [no, monitor]));
}
