import { sql } from 'kysely';
import type { ResourceFilter } from '../platform/http/caller.ts';
import type { Page } from '../platform/http/page.ts';
import { notFound } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import type { Project } from './contract.ts';

/**
 * Projects of an organization, oldest first. A narrowed key sees its own, and those of its monitors: it could not find its
 * monitors otherwise.
 */
export async function listProjects(
  db: Database,
  orgId: string,
  { limit, before }: Page,
  within: ResourceFilter,
): Promise<Project[]> {
  let query = db
    .selectFrom('projects')
    .select(['id', 'name', 'slug', 'org_id as organization_id'])
    .where('org_id', '=', orgId);
  if (within)
    query = query.where(
      sql<boolean>`(projects.id = ANY(${within.projectIds}::text[]) OR EXISTS (
        SELECT FROM monitors
        WHERE monitors.project_id = projects.id AND monitors.id = ANY(${within.monitorIds}::text[])))`,
    );
  if (before !== null) {
    const from = await query.select('created_at').where('id', '=', before).executeTakeFirst();
    if (!from) return notFound('project');
    query = query.where(sql<boolean>`(created_at, id) > (${from.created_at}, ${from.id})`);
  }
  return query.orderBy('created_at').orderBy('id').limit(limit).execute();
}
