// The activity log as it is read: newest first, narrowed by what is asked for and by what a key may see.
import { sql } from 'kysely';
import type { QueryOf } from '../platform/contract.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import type { Page } from '../platform/http/page.ts';
import { seenIn } from '../platform/http/within.ts';
import { isId } from '../platform/ids.ts';
import { notFound } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import type { ActivityEntry, listActivity as operation } from './contract.ts';

export type ActivityFilter = Omit<QueryOf<typeof operation>, 'before'> & Page;

/** Activity of an organization, newest first. `before` is an entry of the same organization; an unknown one is 404. */
export async function listActivity(
  db: Database,
  orgId: string,
  filter: ActivityFilter,
  within: ResourceFilter,
): Promise<ActivityEntry[]> {
  let query = select(db, orgId, within);
  const { actor_kind, actor_id, action, resource_kind, resource_id, from_unix, to_unix, before } = filter;
  if (actor_kind !== undefined) query = query.where('actor_kind', '=', actor_kind);
  if (actor_id !== undefined) query = query.where('actor_id', '=', actor_id);
  if (action !== undefined)
    query = query.where(sql<boolean>`(action = ${action} OR starts_with(action, ${`${action}.`}))`);
  if (resource_kind !== undefined) query = query.where('resource_kind', '=', resource_kind);
  if (resource_id !== undefined) query = query.where('resource_id', '=', resource_id);
  if (from_unix !== undefined) query = query.where('at', '>=', new Date(from_unix * 1000));
  if (to_unix !== undefined) query = query.where('at', '<', new Date(to_unix * 1000));
  if (before !== null) {
    if (!isId('act', before)) return notFound('activity entry');
    const from = await select(db, orgId, within).where('id', '=', before).executeTakeFirst();
    if (!from) return notFound('activity entry');
    // The bare condition on `at` leaves out the months after it; the pair decides inside one instant.
    query = query.where('at', '<=', from.at).where(sql<boolean>`(at, id) < (${from.at}, ${from.id})`);
  }
  const rows = await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(filter.limit).execute();
  const incidents = rows.filter((row) => row.resource_kind === 'incident').map((row) => row.resource_id);
  const monitors = await monitorsOf(db, orgId, [...new Set(incidents)]);
  return rows.map((row) => show(row, monitors.get(row.resource_id) ?? null));
}

/** The names of the monitors of incidents, by the incident's id: a cause alone does not say what it is about. */
async function monitorsOf(
  db: Database,
  orgId: string,
  incidentIds: readonly string[],
): Promise<Map<string, string>> {
  if (incidentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('incidents')
    .innerJoin('monitors', 'monitors.no', 'incidents.monitor_no')
    .select(['incidents.id', 'monitors.name'])
    .where('incidents.org_id', '=', orgId)
    .where('incidents.id', 'in', incidentIds)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function select(db: Database, orgId: string, within: ResourceFilter) {
  const query = db
    .selectFrom('activity')
    .select(['id', 'at', 'actor_kind', 'actor_id', 'actor_name', 'action', 'resource_kind', 'resource_id'])
    .select(['resource_name', 'address', 'before', 'after'])
    .where('org_id', '=', orgId);
  return within ? query.where(liesWithin(within)) : query;
}

type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;

/**
 * Entries about one of a key's projects, one of its monitors, or an incident of those. What a deleted monitor belonged
 * to is still known from the entry itself.
 */
function liesWithin(within: NonNullable<ResourceFilter>) {
  const { projectIds, monitorIds } = within;
  const incident = seenIn(within, { project: 'incidents.project_id', monitor: 'incidents.monitor_id' });
  return sql<boolean>`CASE resource_kind
    WHEN 'project' THEN resource_id = ANY(${projectIds}::text[])
    WHEN 'monitor' THEN resource_id = ANY(${monitorIds}::text[])
      OR coalesce(after, before) ->> 'project_id' = ANY(${projectIds}::text[])
      OR EXISTS (SELECT FROM monitors WHERE monitors.id = resource_id AND project_id = ANY(${projectIds}::text[]))
    WHEN 'incident' THEN EXISTS (SELECT FROM incidents WHERE incidents.id = resource_id AND ${incident})
    ELSE false END`;
}

function show(row: Row, monitorName: string | null): ActivityEntry {
  return {
    id: row.id,
    at_unix: unix(row.at),
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action: row.action,
    resource: {
      kind: row.resource_kind,
      id: row.resource_id,
      name: row.resource_name,
      monitor_name: monitorName,
    },
    address: row.address,
    before: row.before,
    after: row.after,
  };
}
