// `tocsin plan`: the plans of organizations.
import type { Plan } from '#src/plans/contract.ts';
import { listPlans } from '#src/plans/plan.ts';
import { columns, printable } from '../columns.ts';
import { withInstallation } from '../open-installation.ts';

/** Prints the plans and the organizations; returns the exit code. */
export async function run(): Promise<number> {
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

function planRow({ name, limits, capabilities }: Plan): string[] {
  const limited = Object.entries(limits).map(([limit, value]) => `${limit} ${value ?? 'unlimited'}`);
  const able = Object.entries(capabilities).flatMap(([capability, has]) => (has ? [capability] : []));
  return [name, limited.join(', '), able.join(', ') || 'none'];
}
