import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';

/** Deletes an empty project; 409 `project_not_empty` while it has monitors (docs/rules/access.md#projects). */
export async function deleteProject(work: Work, projectId: string): Promise<void> {
  const { tx } = work;
  const project = await tx
    .selectFrom('projects')
    .select(['id', 'name', 'slug', 'org_id as organization_id'])
    .where('id', '=', projectId)
    .forUpdate()
    .executeTakeFirst();
  if (!project) notFound('project');
  const { count } = await tx
    .selectFrom('monitors')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  if (count > 0)
    refuse(
      'project_not_empty',
      `The project still has ${count} monitor${count === 1 ? '' : 's'}; delete them first.`,
    );
  await tx.deleteFrom('projects').where('id', '=', projectId).execute();
  await recordActivity(work, {
    orgId: project.organization_id,
    action: 'project.delete',
    resource: { kind: 'project', id: projectId, name: project.name },
    before: project,
  });
}
