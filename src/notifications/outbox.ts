// Stop 7 of 8 (docs/architecture.md#from-a-result-to-the-receiver). From ../incidents/announce.ts: the events of an
// organization, in the transaction that changed its incidents. Each event is rendered once, and one pending delivery is written
// for every subscribed target.
// Next, after the commit, deliver.ts: it gets the deliveries directly, or is woken and claims them from the database.
import { sql } from 'kysely';
import { CHANNEL_FAMILIES, type ChannelFamily, type EventName } from '../domain/names.ts';
import { severityRankOf } from '../domain/severity-rank.ts';
import { pipelined } from '../platform/db/pipelined.ts';
import { newId } from '../platform/ids.ts';
import { defer, sendUnawaited, type Tx, type Work } from '../platform/work.ts';
import { channelOf } from './channels/index.ts';
import { atOnce, type NewDelivery } from './delivery/at-once.ts';
import { bringingForward, dueOfGroups } from './delivery/group-due.ts';
import { urgencyIn } from './delivery/queue.ts';
import { cancelSuperseded, supersedes } from './delivery/superseded.ts';
import {
  type DrillPayload,
  type EventBody,
  type IncidentPayload,
  type MaintenancePayload,
  type NotePayload,
  renderBody,
} from './event-body.ts';
import { groupOrderingKeyOf, orderingKeyOf } from './ordering-key.ts';
import { type RoutingData, readRoutingData, type Subject, type Target } from './routing-data.ts';

export type OutboxEvent = {
  event: EventName;
  projectId: string | null;
  monitorNo: number | null;
  /** The incident's group: chat and paging targets get messages about the group. */
  groupNo: number | null;
  incident: IncidentPayload | null;
  note?: NotePayload;
  /** `monitorNos`: those of the window. */
  maintenance?: { payload: MaintenancePayload; monitorNos: readonly number[] };
  drill?: DrillPayload;
};

/** The most events in one statement. */
const BATCH = 500;

/**
 * Writes events, each rendered once, and their deliveries to the active targets of these families that are subscribed to them
 * and whose filter matches. An event without such a target is not stored.
 */
export async function enqueueEvents(
  work: Work,
  orgId: string,
  events: readonly OutboxEvent[],
  families: readonly ChannelFamily[],
): Promise<void> {
  if (events.length === 0) return;
  await enqueueTo(work, await readRoutingData(work, orgId, events.map(subjectOf)), events, families);
}

function subjectOf({ projectId, monitorNo, incident, maintenance }: OutboxEvent): Subject {
  const place = { projectId, monitorNo };
  if (incident !== null)
    return {
      ...place,
      filtered: {
        id: incident.id,
        severityRank: severityRankOf(incident),
        monitorNos: monitorNo === null ? [] : [monitorNo],
      },
    };
  if (!maintenance) return { ...place, filtered: null };
  const { payload, monitorNos } = maintenance;
  return { ...place, filtered: { id: payload.id, severityRank: null, monitorNos } };
}

/** Like `enqueueEvents`, with the routing already read. */
export async function enqueueTo(
  work: Work,
  routing: RoutingData | null,
  events: readonly OutboxEvent[],
  families: readonly ChannelFamily[],
): Promise<void> {
  if (routing === null) return;
  const targets = routing.targets.filter(({ kind }) => families.includes(CHANNEL_FAMILIES[kind]));
  const narrowed = { ...routing, targets };
  const wanted = events.filter((event) => targets.some((target) => receives(narrowed, target, event)));
  for (let i = 0; i < wanted.length; i += BATCH) await write(work, narrowed, wanted.slice(i, i + BATCH));
}

/**
 * Writes a message of a fire drill (a `test` event) and its deliveries to the active ones of these targets, whatever their
 * subscriptions.
 */
export async function enqueueDrill(
  work: Work,
  orgId: string,
  drill: DrillPayload,
  targetIds: readonly string[],
): Promise<void> {
  const routing = await readRoutingData(work, orgId, []);
  if (routing === null) return;
  const targets = routing.targets
    .filter(({ id }) => targetIds.includes(id))
    .map((target) => ({ ...target, events: ['test'] }));
  if (targets.length === 0) return;
  const event = { event: 'test', projectId: null, monitorNo: null, groupNo: null, incident: null } as const;
  await write(work, { ...routing, targets }, [{ ...event, drill }]);
}

/** Whether the target is subscribed to this event and its filter matches. */
const receives = (
  { matches }: RoutingData,
  { id, events, kind }: Target,
  { event, incident, maintenance }: OutboxEvent,
) =>
  events.includes(event) &&
  channelOf(kind).carries(event) &&
  matches(id, incident?.id ?? maintenance?.payload.id);

async function write(work: Work, routing: RoutingData, events: readonly OutboxEvent[]): Promise<void> {
  const { now, actor } = work;
  const { organization, projects, monitors, targets } = routing;
  const outbox: Record<string, unknown>[] = [];
  const deliveries: DeliveryRow[] = [];
  const made: NewDelivery[] = [];
  for (const each of events) {
    const id = newId('evt');
    const { event, incident, note, maintenance, drill } = each;
    const body = renderBody(id, now, {
      event,
      organization,
      project: projects.get(each.projectId ?? '') ?? null,
      monitor: monitors.get(each.monitorNo ?? 0) ?? null,
      incident,
      ...(note ? { note } : {}),
      ...(maintenance ? { maintenance: maintenance.payload } : {}),
      ...(drill ? { test: true, drill } : {}),
    });
    outbox.push({ id, event, incident_id: incident?.id ?? drill?.id ?? null, body });
    for (const target of targets) {
      if (!receives(routing, target, each)) continue;
      const { groupNo } = each;
      const grouped = groupNo !== null && CHANNEL_FAMILIES[target.kind] !== 'webhook';
      const deliveryId = newId('dlv');
      const lane = grouped
        ? groupOrderingKeyOf(target.id, groupNo)
        : orderingKeyOf(target.id, incident?.id ?? maintenance?.payload.id ?? drill?.id ?? id);
      made.push({
        id: deliveryId,
        orgId: organization.id,
        lane,
        target,
        grouped,
        event,
        incident_id: incident?.id ?? drill?.id ?? null,
        body,
        actor: null,
      });
      deliveries.push({
        id: deliveryId,
        target_id: target.id,
        lane,
        grouped,
        paging: CHANNEL_FAMILIES[target.kind] === 'paging',
        // Nothing precedes the first event of an incident.
        behind: !grouped && event !== 'opened',
        event_id: id,
        event,
        incidentId: incident?.id ?? drill?.id ?? null,
      });
    }
  }
  const grouped = deliveries.filter((delivery) => delivery.grouped);
  const superseding = deliveries.filter((each) => each.paging && supersedes(each.event));
  const [, dueOf] = await pipelined(
    () => cancelSuperseded(work, superseding),
    () => dueOfGroups(work, organization.id, grouped),
  );
  const timed = deliveries.map((delivery) => ({ ...delivery, due: dueOf.get(delivery.lane) ?? now }));
  sendUnawaited(
    work,
    // A delivery behind one that waits for a retry is not due before it: the worker would keep the order anyway, but it looks at
    // few of those that are due. One that is being sent makes no other wait, since it will have arrived.
    sql`WITH events AS (
        INSERT INTO outbox (id, created_at, org_id, event, incident_id, body, actor_user_id)
        SELECT id, ${now}, ${organization.id}, event, incident_id, body, ${actor.kind === 'user' ? actor.id : null}
        FROM jsonb_to_recordset(${JSON.stringify(outbox)}::jsonb) AS o (id text, event text, incident_id text, body text)
      ), made AS (
        INSERT INTO deliveries (id, created_at, org_id, target_id, lane, event_id, event, state, next_attempt_at)
        SELECT d ->> 'id', ${now}, ${organization.id}, d ->> 'target_id', d ->> 'lane', d ->> 'event_id', d ->> 'event',
          'pending', greatest((d ->> 'due')::timestamptz, CASE WHEN (d ->> 'behind')::boolean THEN
            (SELECT max(q.next_attempt_at) FROM delivery_queue q WHERE q.lane = d ->> 'lane' AND q.next_attempt_at < 'infinity'
              AND (q.leased_until IS NULL OR q.leased_until <= ${now})) END)
        FROM jsonb_array_elements(${JSON.stringify(timed)}::jsonb) WITH ORDINALITY AS each (d, no)
        -- One that was deleted since the routing was read gets nothing: a delivery without a target would be pending for ever.
        WHERE EXISTS (SELECT FROM webhook_targets t WHERE t.id = d ->> 'target_id') ORDER BY no
        RETURNING seq, id, created_at, event_id, event, org_id, target_id, lane, next_attempt_at
      )
      INSERT INTO delivery_queue
        (seq, delivery_id, created_at, event_id, org_id, target_id, lane, urgency, next_attempt_at)
      SELECT m.seq, m.id, m.created_at, m.event_id, m.org_id, m.target_id, m.lane,
        ${urgencyIn(sql`m.event`, sql`t.kind`)}, m.next_attempt_at
      FROM made m JOIN webhook_targets t ON t.id = m.target_id`,
    bringingForward(work, dueOf, grouped),
  );
  for (const each of made) defer(work, atOnce, each);
}

type DeliveryRow = {
  id: string;
  target_id: string;
  /** The ordering key (./ordering-key.ts). */
  lane: string;
  /** It is part of a message about a group of incidents. */
  grouped: boolean;
  paging: boolean;
  /** An earlier delivery of its incident may still wait for a retry. */
  behind: boolean;
  event_id: string;
  event: EventName;
  /** An incident, or a fire drill. */
  incidentId: string | null;
};

export async function readOrganization(tx: Tx, orgId: string): Promise<EventBody['organization']> {
  return tx
    .selectFrom('organizations')
    .select(['id', 'name', 'slug'])
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
}
