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
  /** What `readNames` answers for this event, where it was asked ahead. */
  names?: Names;
};

/** Writes the event, rendered once, and its deliveries. Without a subscribed target there is nothing to keep. */
export async function enqueueEvent(
  work: Work,
  { orgId, event, projectId, monitorNo, incident, names }: OutboxEvent,
): Promise<void> {
  const { tx, now } = work;
  const named = names ?? (await readNames(tx, { orgId, projectId, monitorNo, event }));
  if (named.targets.length === 0) return;
  const eventId = newId('evt');
  const body = renderBody(eventId, now, named, { event, incident });
  const deliveries = named.targets.map((targetId) => ({
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
  await Promise.all([
    tx
      .insertInto('outbox')
      .values({ id: eventId, created_at: now, org_id: orgId, event, incident_id: incident.id, body })
      .execute(),
    tx.insertInto('deliveries').values(deliveries).execute(),
    ...deliveries.map(({ lane }) => wakeLane(tx, lane)),
  ]);
}

export type Names = {
  organization: { id: string; name: string; slug: string };
  project: { id: string; name: string; slug: string } | null;
  monitor: { id: string; name: string; type: string } | null;
  /** Active targets subscribed to the event. */
  targets: string[];
};

/** What a body names, and who wants it, in one round trip. */
export async function readNames(
  tx: Tx,
  of: { orgId: string; projectId: string | null; monitorNo: number | null; event: string },
): Promise<Names> {
  const { rows } = await sql<Names>`
    SELECT
      (SELECT json_build_object('id', id, 'name', name, 'slug', slug) FROM organizations WHERE id = ${of.orgId}) AS organization,
      (SELECT json_build_object('id', id, 'name', name, 'slug', slug) FROM projects WHERE id = ${of.projectId}) AS project,
      (SELECT json_build_object('id', id, 'name', name, 'type', type) FROM monitors WHERE no = ${of.monitorNo}) AS monitor,
      ARRAY(SELECT id FROM webhook_targets WHERE org_id = ${of.orgId} AND active AND ${of.event} = ANY(events)) AS targets`.execute(
    tx,
  );
  const [names] = rows;
  if (!names) throw new Error('a SELECT without FROM answered no row');
  return names;
}

type Rendered = { event: string; incident: Record<string, unknown> | null; test?: true };

/** The body of a delivery (decisions, section 8): these exact bytes are signed and sent on every try. */
export function renderBody(
  id: string,
  now: Date,
  { organization, project, monitor }: Names,
  what: Rendered,
): string {
  return JSON.stringify({
    id,
    event: what.event,
    created_at_unix: unix(now),
    organization,
    project,
    monitor,
    incident: what.incident,
    ...(what.test ? { test: true } : {}),
  });
}
