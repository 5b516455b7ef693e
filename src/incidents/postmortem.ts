// Post-mortems (docs/rules/confirmation.md#post-mortems).
import { recordActivity } from '../activity/record.ts';
import { POSTMORTEM_FIELDS } from '../domain/names.ts';
import type { BodyOf } from '../platform/contract.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { refuseChangedReadOnly } from '../platform/read-only.ts';
import { notFound } from '../platform/refusals.ts';
import { unixOrNull } from '../platform/unix.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import type { putPostmortem as contract, Postmortem } from './actions-contract.ts';
import { announceIncident, publishChange } from './announce.ts';
import { lockIncident } from './lock.ts';
import { incidentOf } from './queries.ts';
import { recordTimeline } from './timeline.ts';

/** The starting point for the first write. */
const UNWRITTEN = {
  ...(Object.fromEntries(POSTMORTEM_FIELDS.map((field) => [field, ''])) as Texts),
  status: 'draft',
  visibility: 'internal',
  published_at_unix: null,
} satisfies Postmortem;
type Texts = Record<(typeof POSTMORTEM_FIELDS)[number], string>;

/** The post-mortem of an incident; 404 where none was written. */
export async function getPostmortem(
  db: Database,
  orgId: string,
  incidentId: string,
  within: ResourceFilter,
): Promise<Postmortem> {
  await incidentOf(db, orgId, incidentId, within);
  return (await readPostmortem(db, incidentId)) ?? notFound('post-mortem');
}

/**
 * Writes the given fields; omitted and null ones keep their text. A published post-mortem stays published. Refuses to change
 * `status` or `published_at_unix` (400).
 */
export async function putPostmortem(
  work: Work,
  orgId: string,
  incidentId: string,
  given: BodyOf<typeof contract>,
  within: ResourceFilter,
): Promise<Postmortem> {
  const { tx, now } = work;
  const incident = await lockIncident(work, orgId, incidentId, within);
  const before = (await readPostmortem(tx, incidentId)) ?? UNWRITTEN;
  const { status, published_at_unix, ...fields } = given;
  refuseChangedReadOnly({ status, published_at_unix }, before);
  const written = Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
  const after: Postmortem = { ...before, ...written };
  const { status: _, published_at_unix: __, ...columns } = after;
  const changed = Object.keys(after).filter(
    (field) => before[field as keyof Postmortem] !== after[field as keyof Postmortem],
  ) as (keyof Postmortem)[];
  // Feeds date it by this: a text that is sent back as it was is no news.
  const at = changed.length > 0 ? { updated_at: now } : {};
  await tx
    .insertInto('postmortems')
    .values({ incident_id: incidentId, ...columns, updated_at: now })
    .onConflict((conflict) => conflict.column('incident_id').doUpdateSet({ ...columns, ...at }))
    .execute();
  publishChange(work, incident, 'postmortem');
  const only = (one: Postmortem) => Object.fromEntries(changed.map((field) => [field, one[field]]));
  await recordActivity(work, {
    orgId,
    action: 'incident.write_postmortem',
    resource: { kind: 'incident', id: incidentId, name: incident.cause },
    before: only(before),
    after: only(after),
  });
  return after;
}

/** Publishes the post-mortem; only the first call notifies and sets `published_at_unix`. 404 where none was written. */
export async function publishPostmortem(
  work: Work,
  orgId: string,
  incidentId: string,
  within: ResourceFilter,
): Promise<Postmortem> {
  const { tx, now, actor } = work;
  const incident = await lockIncident(work, orgId, incidentId, within);
  const before = (await readPostmortem(tx, incidentId)) ?? notFound('post-mortem');
  if (before.status === 'published') return before;
  await tx
    .updateTable('postmortems')
    .set({ status: 'published', published_at: now, updated_at: now })
    .where('incident_id', '=', incidentId)
    .execute();
  await recordTimeline(work, [
    { incidentId, kind: 'postmortem_published', actorName: actor.name, detail: before.title || null },
  ]);
  announceIncident(work, incident, 'postmortem');
  const after = (await readPostmortem(tx, incidentId)) ?? before;
  await recordActivity(work, {
    orgId,
    action: 'incident.publish_postmortem',
    resource: { kind: 'incident', id: incidentId, name: incident.cause },
    before: { status: before.status, published_at_unix: before.published_at_unix },
    after: { status: after.status, published_at_unix: after.published_at_unix, visibility: after.visibility },
  });
  return after;
}

/** Whether one was written, so that clients ask only for what exists. */
export async function hasPostmortem(db: Database, incidentId: string): Promise<boolean> {
  const written = db.selectFrom('postmortems').select('incident_id').where('incident_id', '=', incidentId);
  return (await written.executeTakeFirst()) !== undefined;
}

async function readPostmortem(db: Database | Tx, incidentId: string): Promise<Postmortem | null> {
  const row = await db
    .selectFrom('postmortems')
    .select([...POSTMORTEM_FIELDS, 'status', 'visibility', 'published_at'])
    .where('incident_id', '=', incidentId)
    .executeTakeFirst();
  if (!row) return null;
  const { published_at, ...shown } = row;
  return { ...shown, published_at_unix: unixOrNull(published_at) };
}
