// The outbox: events and one delivery per subscribed target, in the transaction that changes the incident.
import { sql } from 'kysely';
import { type EventName, WEBHOOK_FAMILIES, type WebhookFamily, type WebhookKind } from '../domain/names.ts';
import { newId } from '../platform/ids.ts';
import { addJobs } from '../platform/jobs/add-job.ts';
import type { Tx, Work } from '../platform/work.ts';
import {
  type EventBody,
  renderBody,
  type ToldIncident,
  type ToldMaintenance,
  type ToldNote,
} from './event-body.ts';
import { DELIVER_TASK, laneOf } from './lane.ts';

export type OutboxEvent = {
  event: EventName;
  projectId: string | null;
  monitorNo: number | null;
  /** The group of incidents that it belongs to: chat and paging tell of the group. */
  groupNo: number | null;
  incident: ToldIncident | null;
  note?: ToldNote;
  maintenance?: ToldMaintenance;
};

type Target = { id: string; kind: WebhookKind; events: string[] };

/** Events that are written with one statement. */
const TOGETHER = 500;

/**
 * Writes events, each rendered once, and their deliveries to the active targets of these families that are subscribed.
 * Without one there is nothing to keep.
 */
export async function enqueueEvents(
  work: Work,
  orgId: string,
  events: readonly OutboxEvent[],
  families: readonly WebhookFamily[],
): Promise<void> {
  if (events.length === 0) return;
  const targets = await subscribers(work.tx, orgId, families, new Set(events.map(({ event }) => event)));
  const wanted = events.filter(({ event }) => targets.some((target) => target.events.includes(event)));
  if (wanted.length === 0) return;
  const organization = await readOrganization(work.tx, orgId);
  for (let i = 0; i < wanted.length; i += TOGETHER)
    await write(work, organization, wanted.slice(i, i + TOGETHER), targets);
}

async function subscribers(
  tx: Tx,
  orgId: string,
  families: readonly WebhookFamily[],
  names: ReadonlySet<EventName>,
): Promise<Target[]> {
  const rows = await tx
    .selectFrom('webhook_targets')
    .select(['id', 'kind', 'events'])
    .where('org_id', '=', orgId)
    .where('active', '=', true)
    .where(sql<boolean>`events && ${[...names]}::text[]`)
    .orderBy('id')
    .execute();
  return rows.flatMap(({ id, kind, events }) => {
    const known = kind as WebhookKind;
    return families.includes(WEBHOOK_FAMILIES[known]) ? [{ id, kind: known, events }] : [];
  });
}

async function write(
  work: Work,
  organization: EventBody['organization'],
  events: readonly OutboxEvent[],
  targets: readonly Target[],
): Promise<void> {
  const { tx, now } = work;
  const [projects, monitors] = await Promise.all([
    readProjects(tx, new Set(events.map(({ projectId }) => projectId))),
    readMonitors(tx, new Set(events.map(({ monitorNo }) => monitorNo))),
  ]);
  const outbox: Record<string, unknown>[] = [];
  const deliveries: Record<string, unknown>[] = [];
  const lanes = new Set<string>();
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
      if (!target.events.includes(event)) continue;
      const lane = laneOf(target.id, incident?.id ?? maintenance?.id ?? id);
      lanes.add(lane);
      deliveries.push({ id: newId('dlv'), target_id: target.id, lane, event_id: id, event });
    }
  }
  await Promise.all([
    sql`INSERT INTO outbox (id, created_at, org_id, event, incident_id, body)
      SELECT id, ${now}, ${organization.id}, event, incident_id, body
      FROM jsonb_to_recordset(${JSON.stringify(outbox)}::jsonb) AS o (id text, event text, incident_id text, body text)`.execute(
      tx,
    ),
    sql`INSERT INTO deliveries (id, created_at, org_id, target_id, lane, event_id, event, state, next_attempt_at)
      SELECT d ->> 'id', ${now}, ${organization.id}, d ->> 'target_id', d ->> 'lane', d ->> 'event_id', d ->> 'event',
        'pending', ${now}
      FROM jsonb_array_elements(${JSON.stringify(deliveries)}::jsonb) WITH ORDINALITY AS each (d, no) ORDER BY no`.execute(
      tx,
    ),
    addJobs(
      tx,
      DELIVER_TASK,
      [...lanes].map((lane) => ({ payload: { lane }, key: `deliver:${lane}` })),
    ),
  ]);
}

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
    .where('no', '=', sql<number>`ANY(${`{${[...nos].filter((no) => no !== null).join(',')}}`}::int[])`)
    .execute();
  return new Map(rows.map(({ no, ...monitor }) => [no, monitor]));
}
