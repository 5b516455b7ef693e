// The outbox: an event and one delivery per subscribed target, in the transaction that changes the incident.
import { sql } from 'kysely';
import type { EventName } from '../domain/names.ts';
import { newId } from '../platform/ids.ts';
import { unix } from '../platform/unix.ts';
import type { Tx, Work } from '../platform/work.ts';
import { laneOf, wakeLane } from './lane.ts';

export type OutboxEvent = {
  orgId: string;
  event: EventName;
  projectId: string | null;
  monitorNo: number | null;
  /** The incident detail as the API shows it, without personal data. */
  incident: { id: string } & Record<string, unknown>;
};

/** Writes the event, rendered once, and its deliveries. Without a subscribed target there is nothing to keep. */
export async function enqueueEvent(
  work: Work,
  { orgId, event, projectId, monitorNo, incident }: OutboxEvent,
): Promise<void> {
  const { tx, now } = work;
  const targets = await tx
    .selectFrom('webhook_targets')
    .select('id')
    .where('org_id', '=', orgId)
    .where('active', '=', true)
    .where(sql<boolean>`${event} = ANY(events)`)
    .execute();
  if (targets.length === 0) return;
  const eventId = newId('evt');
  const body = await renderBody(tx, eventId, now, { orgId, event, projectId, monitorNo, incident });
  await tx
    .insertInto('outbox')
    .values({ id: eventId, created_at: now, org_id: orgId, event, incident_id: incident.id, body })
    .execute();
  const deliveries = targets.map(({ id: targetId }) => ({
    id: newId('dlv'),
    created_at: now,
    org_id: orgId,
    target_id: targetId,
    lane: laneOf(targetId, incident.id),
    event_id: eventId,
    event,
    state: 'pending',
    next_attempt_at: now,
  }));
  await tx.insertInto('deliveries').values(deliveries).execute();
  for (const { lane } of deliveries) await wakeLane(tx, lane);
}

type Rendered = Omit<OutboxEvent, 'incident' | 'event'> & {
  event: string;
  incident: Record<string, unknown> | null;
  test?: true;
};

/** The body of a delivery (decisions, section 8): these exact bytes are signed and sent on every try. */
export async function renderBody(tx: Tx, id: string, now: Date, what: Rendered): Promise<string> {
  const organization = await tx
    .selectFrom('organizations')
    .select(['id', 'name', 'slug'])
    .where('id', '=', what.orgId)
    .executeTakeFirstOrThrow();
  const project =
    what.projectId === null
      ? null
      : await tx
          .selectFrom('projects')
          .select(['id', 'name', 'slug'])
          .where('id', '=', what.projectId)
          .executeTakeFirst();
  const monitor =
    what.monitorNo === null
      ? null
      : await tx
          .selectFrom('monitors')
          .select(['id', 'name', 'type'])
          .where('no', '=', what.monitorNo)
          .executeTakeFirst();
  return JSON.stringify({
    id,
    event: what.event,
    created_at_unix: unix(now),
    organization,
    project: project ?? null,
    monitor: monitor ?? null,
    incident: what.incident,
    ...(what.test ? { test: true } : {}),
  });
}
