// Links between incidents and status pages. The slice status-pages writes the pages themselves.
import { recordActivity } from '../activity/record.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database, Work } from '../platform/work.ts';
import type { PageLink } from './actions-contract.ts';
import { announceIncident } from './announce.ts';
import { lockIncident } from './lock.ts';
import { incidentOf } from './queries.ts';
import { recordTimeline } from './timeline.ts';

/** The status pages that an incident is linked to, in the order of linking, without archived ones. */
export async function listPageLinks(
  db: Database,
  orgId: string,
  incidentId: string,
  within: ResourceFilter,
): Promise<PageLink[]> {
  await incidentOf(db, orgId, incidentId, within);
  const rows = await db
    .selectFrom('incident_status_pages')
    .innerJoin('status_pages', 'status_pages.id', 'incident_status_pages.status_page_id')
    .select(['status_pages.id', 'status_pages.name', 'status_pages.slug', 'incident_status_pages.linked_at'])
    .where('incident_id', '=', incidentId)
    .where('status_pages.archived_at', 'is', null)
    .orderBy('linked_at')
    .orderBy('status_pages.id')
    .execute();
  return rows.map(({ id, name, slug, linked_at }) => ({
    status_page_id: id,
    name,
    slug,
    linked_at_unix: unix(linked_at),
  }));
}

/** Links a page; nothing changes if it is linked already. 404 for a page that the organization does not have. */
export async function linkPage(
  work: Work,
  orgId: string,
  { incidentId, pageId }: { incidentId: string; pageId: string },
): Promise<PageLink> {
  const { tx, now, actor } = work;
  const incident = await lockIncident(work, orgId, incidentId, null);
  const page = await pageOf(work, orgId, pageId);
  if (incident.example)
    refuse('invalid_request', 'An example is on no status page: nothing was really down.');
  const linked = await tx
    .insertInto('incident_status_pages')
    .values({ incident_id: incidentId, status_page_id: pageId, linked_at: now })
    .onConflict((conflict) => conflict.columns(['incident_id', 'status_page_id']).doNothing())
    .returning('linked_at')
    .executeTakeFirst();
  if (linked) {
    await recordTimeline(work, [{ incidentId, kind: 'linked', actorName: actor.name, detail: page.name }]);
    announceIncident(work, incident, 'linked');
    await recordActivity(work, {
      orgId,
      action: 'incident.link',
      resource: { kind: 'incident', id: incidentId, name: incident.cause },
      after: { status_page_id: pageId, name: page.name },
    });
  }
  const { linked_at } = await tx
    .selectFrom('incident_status_pages')
    .select('linked_at')
    .where('incident_id', '=', incidentId)
    .where('status_page_id', '=', pageId)
    .executeTakeFirstOrThrow();
  return { status_page_id: pageId, ...page, linked_at_unix: unix(linked_at) };
}

/** Removes an incident from a page; nothing changes if it is not on it. 404 as in `linkPage`. */
export async function unlinkPage(
  work: Work,
  orgId: string,
  { incidentId, pageId }: { incidentId: string; pageId: string },
): Promise<void> {
  const { tx, actor } = work;
  const incident = await lockIncident(work, orgId, incidentId, null);
  const page = await pageOf(work, orgId, pageId);
  const { numDeletedRows } = await tx
    .deleteFrom('incident_status_pages')
    .where('incident_id', '=', incidentId)
    .where('status_page_id', '=', pageId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return;
  await recordTimeline(work, [{ incidentId, kind: 'unlinked', actorName: actor.name, detail: page.name }]);
  announceIncident(work, incident, 'linked');
  await recordActivity(work, {
    orgId,
    action: 'incident.unlink',
    resource: { kind: 'incident', id: incidentId, name: incident.cause },
    before: { status_page_id: pageId, name: page.name },
  });
}

/** An active page of the organization, locked against archiving until the end of the unit of work. */
async function pageOf({ tx }: Work, orgId: string, pageId: string): Promise<{ name: string; slug: string }> {
  const page = await tx
    .selectFrom('status_pages')
    .select(['name', 'slug'])
    .where('id', '=', pageId)
    .where('org_id', '=', orgId)
    .where('archived_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return page ?? notFound('status page');
}
