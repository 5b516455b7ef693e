// `tocsin plan` and `tocsin plan set`: what organizations may use.

import type { Plan } from '#src/plans/contract.ts';
import { listPlans } from '#src/plans/plan.ts';
import { setPlan } from '#src/plans/set-plan.ts';
import { runWork } from '#src/platform/work.ts';
import { columns, printable } from '../columns.ts';
import { findOrganization } from '../find-organization.ts';
import { OPERATOR, withInstallation } from '../open-installation.ts';

/** Prints the plans and the organizations; answers the exit code. */
export async function runPlanList(): Promise<number> {
  return withInstallation(async ({ database: { db } }) => {
    const plans = await listPlans(db);
    const organizations = await db
      .selectFrom('organizations')
      .select(['slug', 'name', 'plan', 'id'])
      .orderBy('slug')
      .execute();
    const sections = [
      columns([['PLAN', 'LIMITS', 'CAPABILITIES'], ...plans.map(planRow)]),
      organizations.length === 0
        ? 'There is no organization yet.\n'
        : columns([
            ['ORGANIZATION', 'PLAN', 'ID', 'NAME'],
            ...organizations.map(({ slug, plan, id, name }) => [slug, plan, id, printable(name)]),
          ]),
    ];
    process.stdout.write(sections.join('\n'));
    return 0;
  });
}

/** Sets a plan; answers the exit code. */
export async function runPlanSet(idOrSlug: string, plan: string): Promise<number> {
  return withInstallation(async ({ database: { db }, now }) => {
    const organization = await findOrganization(db, idOrSlug);
    await runWork(db, now, OPERATOR, (work) => setPlan(work, organization.id, plan));
    process.stdout.write(
      `${printable(organization.name)} (${organization.slug}) now has the plan ${plan}.\n`,
    );
    return 0;
  });
}

function planRow({ name, limits, capabilities }: Plan): string[] {
  const limited = Object.entries(limits).map(([limit, value]) => `${limit} ${value ?? 'unlimited'}`);
  const able = Object.entries(capabilities).flatMap(([capability, has]) => (has ? [capability] : []));
  return [name, limited.join(', '), able.join(', ') || 'none'];
}
