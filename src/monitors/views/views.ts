import { sql } from 'kysely';
import { recordActivity } from '#src/activity/record.ts';
import { lockLimits } from '#src/organizations/lock-limits.ts';
import { checkedName } from '#src/platform/checked-name.ts';
import type { BodyOf } from '#src/platform/contract.ts';
import { newId } from '#src/platform/ids.ts';
import { notFound, refuse } from '#src/platform/refusals.ts';
import { unix } from '#src/platform/unix.ts';
import type { Database, Tx, Work } from '#src/platform/work.ts';
import type { createMonitorView, MonitorView, updateMonitorView, ViewSearch } from './contract.ts';

/** The owner of a view: a person in an organization. */
export type ViewOwner = { orgId: string; userId: string };
type Row = { id: string; user_id: string | null; name: string; search: unknown; created_at: Date };

/** Per person in an organization, and per organization. */
const MAX_VIEWS = 100;

const seenBy = ({ orgId, userId }: ViewOwner) =>
  sql`org_id = ${orgId} AND (user_id = ${userId} OR user_id IS NULL)`;

/** A person's own views and the shared ones, by name. */
export async function listViews(db: Database, whose: ViewOwner): Promise<MonitorView[]> {
  const { rows } = await sql<Row>`
    SELECT id, user_id, name, search, created_at FROM monitor_views
    WHERE ${seenBy(whose)} ORDER BY lower(name), id`.execute(db);
  return rows.map(show);
}

/** 404 for somebody else's view. */
export async function findView(db: Database | Tx, whose: ViewOwner, id: string): Promise<MonitorView> {
  const { rows } = await sql<Row>`
    SELECT id, user_id, name, search, created_at FROM monitor_views WHERE ${seenBy(whose)} AND id = ${id}`.execute(
    db,
  );
  return rows[0] ? show(rows[0]) : notFound('saved view');
}

/** 404 if the organization has no such view. */
export async function refuseUnknown(db: Database, orgId: string, id: string): Promise<void> {
  const { rows } = await sql`SELECT FROM monitor_views WHERE org_id = ${orgId} AND id = ${id}`.execute(db);
  if (rows.length === 0) notFound('saved view');
}

export async function createView(
  work: Work,
  whose: ViewOwner,
  { name, search, shared = false }: BodyOf<typeof createMonitorView>,
): Promise<MonitorView> {
  const { tx, now } = work;
  const { orgId, userId } = whose;
  const owner = shared ? null : userId;
  await lockLimits(tx, orgId);
  await refuseTooMany(tx, orgId, owner);
  const id = newId('viw');
  await tx
    .insertInto('monitor_views')
    .values({
      ...{ id, org_id: orgId, user_id: owner, name: checkedName(name), created_at: now },
      search: JSON.stringify(search),
    })
    .execute();
  const after = await findView(tx, whose, id);
  await record(work, orgId, 'monitor_view.create', after, { after });
  return after;
}

/** A person who stops sharing a view becomes its owner. */
export async function updateView(
  work: Work,
  whose: ViewOwner,
  id: string,
  { name, search, shared }: BodyOf<typeof updateMonitorView>,
): Promise<MonitorView> {
  const { tx } = work;
  const { orgId, userId } = whose;
  await lockLimits(tx, orgId);
  const before = await findView(tx, whose, id);
  if (shared !== undefined && shared !== before.shared)
    await refuseTooMany(tx, orgId, shared ? null : userId);
  await tx
    .updateTable('monitor_views')
    .set({
      name: name === undefined ? before.name : checkedName(name),
      search: JSON.stringify(search ?? before.search),
      ...(shared === undefined || shared === before.shared ? {} : { user_id: shared ? null : userId }),
    })
    .where('id', '=', id)
    .execute();
  const after = await findView(tx, whose, id);
  await record(work, orgId, 'monitor_view.update', after, { before, after });
  return after;
}

/** Deletes a view; 404 as in `findView`. */
export async function deleteView(work: Work, whose: ViewOwner, id: string): Promise<void> {
  const before = await findView(work.tx, whose, id);
  // Of two requests at once, one deletes it and the other gets 404.
  const gone = await work.tx
    .deleteFrom('monitor_views')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  if (!gone) notFound('saved view');
  await record(work, whose.orgId, 'monitor_view.delete', before, { before });
}

/** The caller holds the lock on the organization's limits. */
async function refuseTooMany(tx: Tx, orgId: string, owner: string | null): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM monitor_views
    WHERE org_id = ${orgId} AND user_id IS NOT DISTINCT FROM ${owner}`.execute(tx);
  if (Number(rows[0]?.n) >= MAX_VIEWS)
    refuse('limit_reached', `There are ${MAX_VIEWS} saved views; delete one before you add another.`, {
      limit: MAX_VIEWS,
    });
}

const record = (
  work: Work,
  orgId: string,
  action: string,
  { id, name }: MonitorView,
  change: { before?: MonitorView; after?: MonitorView },
) => recordActivity(work, { orgId, action, resource: { kind: 'monitor_view', id, name }, ...change });

const show = ({ id, user_id, name, search, created_at }: Row): MonitorView => ({
  id,
  name,
  search: search as ViewSearch,
  shared: user_id === null,
  created_at_unix: unix(created_at),
});
