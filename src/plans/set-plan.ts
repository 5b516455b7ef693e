import { recordActivity } from '../activity/record.ts';
import { lockLimits } from '../organizations/lock-limits.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import { listPlans } from './plan.ts';

/**
 * Sets the plan of an organization, for the operator and the command line. Nothing is deleted when it shrinks: what is
 * over a limit keeps working and cannot grow (docs/rules/access.md#downgrades). Refuses an unknown plan with
 * `invalid_request` that names the known ones, and an unknown organization with 404. The same plan again changes nothing.
 */
export async function setPlan(work: Work, orgId: string, plan: string): Promise<void> {
  const { tx } = work;
  // A request that is counting against a limit right now finishes under the old one.
  await lockLimits(tx, orgId);
  const organization = await tx
    .selectFrom('organizations')
    .select(['name', 'plan'])
    .where('id', '=', orgId)
    .executeTakeFirst();
  if (!organization) notFound('organization');
  const known = (await listPlans(tx)).map(({ name }) => name);
  if (!known.includes(plan))
    refuse('invalid_request', `plan must be one of ${known.join(', ')}.`, { field: 'plan' });
  if (plan === organization.plan) return;
  await tx.updateTable('organizations').set({ plan }).where('id', '=', orgId).execute();
  await recordActivity(work, {
    orgId,
    action: 'organization.set_plan',
    resource: { kind: 'organization', id: orgId, name: organization.name },
    before: { plan: organization.plan },
    after: { plan },
  });
}
