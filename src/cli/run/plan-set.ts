// `tocsin plan set ORGANIZATION PLAN`.
import { setPlan } from '#src/plans/set-plan.ts';
import { runWork } from '#src/platform/work.ts';
import { printable } from '../columns.ts';
import { findOrganization } from '../find-organization.ts';
import { OPERATOR, withInstallation } from '../open-installation.ts';

/** Sets a plan; returns the exit code. */
export async function run(idOrSlug: string, plan: string): Promise<number> {
  return withInstallation(async ({ database: { db }, now }) => {
    const organization = await findOrganization(db, idOrSlug);
    await runWork(db, now, OPERATOR, (work) => setPlan(work, organization.id, plan));
    process.stdout.write(
      `${printable(organization.name)} (${organization.slug}) now has the plan ${plan}.\n`,
    );
    return 0;
  });
}
