import { sql } from 'kysely';
import type { Within } from '../platform/http/caller.ts';
import type { Database } from '../platform/work.ts';
import type { Project } from './contract.ts';

/**
 * Projects of an organization, oldest first. A narrowed key sees its own, and those that hold one of its monitors: it
 * could not find its monitors otherwise.
 */
export async function listProjects(db: Database, orgId: string, within: Within): Promise<Project[]> {
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
  return query.orderBy('created_at').orderBy('id').execute();
}
