import { recordActivity } from '../activity/record.ts';
import { slugFrom } from '../domain/slug.ts';
import { checkedName } from '../platform/checked-name.ts';
import { newId } from '../platform/ids.ts';
import { refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import type { Project } from './contract.ts';

/** Creates a project. Refuses with `empty_slug` (400) and `slug_taken` (409). */
export async function createProject(work: Work, orgId: string, name: string): Promise<Project> {
  const trimmed = checkedName(name);
  const slug = slugFrom(trimmed);
  if (slug === '')
    refuse('empty_slug', 'name must contain a letter or a digit that can be written as a to z or 0 to 9.', {
      field: 'name',
    });
  const project = await work.tx
    .insertInto('projects')
    .values({ id: newId('prj'), org_id: orgId, name: trimmed, slug, created_at: work.now })
    .onConflict((conflict) => conflict.columns(['org_id', 'slug']).doNothing())
    .returning(['id', 'name', 'slug', 'org_id as organization_id'])
    .executeTakeFirst();
  if (!project)
    refuse('slug_taken', `name gives the slug ${slug}, which another project already has.`, {
      field: 'name',
    });
  await recordActivity(work, {
    orgId,
    action: 'project.create',
    resource: { kind: 'project', id: project.id, name: trimmed },
    after: project,
  });
  return project;
}
