import { recordActivity } from '../activity/record.ts';
import { checkedName } from '../platform/checked-name.ts';
import { hook } from '../platform/hook.ts';
import { refuseChangedReadOnly } from '../platform/read-only.ts';
import { notFound } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import type { Project } from './contract.ts';

export type Rename = { name: string } & Partial<Omit<Project, 'name'>>;

/** A project has another name. */
export const projectRenamed = hook<{ orgId: string }>();

/** Renames a project; the slug stays. Refuses an empty name with `empty_name`. */
export async function renameProject(work: Work, projectId: string, body: Rename): Promise<Project> {
  const { tx } = work;
  const before = await tx
    .selectFrom('projects')
    .select(['id', 'name', 'slug', 'org_id as organization_id'])
    .where('id', '=', projectId)
    .forUpdate()
    .executeTakeFirst();
  if (!before) notFound('project');
  const { name, ...readOnly } = body;
  refuseChangedReadOnly(readOnly, before);
  const trimmed = checkedName(name);
  const after = { ...before, name: trimmed };
  await tx.updateTable('projects').set({ name: trimmed }).where('id', '=', projectId).execute();
  if (trimmed !== before.name) await projectRenamed.run(work, { orgId: before.organization_id });
  await recordActivity(work, {
    orgId: before.organization_id,
    action: 'project.rename',
    resource: { kind: 'project', id: projectId, name: trimmed },
    before,
    after,
  });
  return after;
}
