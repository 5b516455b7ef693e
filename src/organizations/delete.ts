import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { hook } from '../platform/hook.ts';
import { addJob } from '../platform/jobs/add-job.ts';
import { notFound } from '../platform/refusals.ts';
import type { Database, Work } from '../platform/work.ts';
import { lockLimits } from './lock-limits.ts';

const purgeKey = (orgId: string): string => `purge_organization:${orgId}`;

/** Whether an organization was deleted here, and its logs are not removed yet. */
export async function isBeingPurged(db: Database, orgId: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM graphile_worker.jobs WHERE key = ${purgeKey(orgId)}`.execute(db);
  return rows.length > 0;
}

/** Announces that an organization is about to be deleted. Reactions remove what its row's cascade does not. */
export const organizationDeleted = hook<{ orgId: string }>();

/** Removes, a part at a time, the logs that an organization leaves behind; see src/jobs.ts. */
export const PURGE_ORGANIZATION_TASK = 'purge_organization';

/**
 * Deletes an organization for good, with everything it owns; the accounts of its members stay. Its history and its logs
 * are removed in the background. No webhook fires: nobody is left to receive it. One row of the activity log stays,
 * without an organization: who did it, when, and the name.
 */
export async function deleteOrganization(work: Work, orgId: string): Promise<void> {
  const { tx } = work;
  await lockLimits(tx, orgId);
  const before = await tx
    .selectFrom('organizations')
    .select(['id', 'name', 'slug', 'plan'])
    .where('id', '=', orgId)
    .executeTakeFirst();
  if (!before) notFound('organization');
  await organizationDeleted.run(work, { orgId });
  await sql`DELETE FROM organizations WHERE id = ${orgId}`.execute(tx);
  await addJob(tx, {
    task: PURGE_ORGANIZATION_TASK,
    payload: { org_id: orgId },
    key: purgeKey(orgId),
  });
  await recordActivity(work, {
    orgId: null,
    action: 'organization.delete',
    resource: { kind: 'organization', id: orgId, name: before.name },
    before,
  });
}
