// Roles and capabilities in an organization. Read per request and never cached, so that a removed member is out at once.
import type { Role } from '../domain/names.ts';
import type { Operation } from '../platform/contract.ts';
import type { Database } from '../platform/work.ts';

/** The role of a user in an organization; null when not a member. */
export async function roleOf(db: Database, orgId: string, userId: string): Promise<Role | null> {
  const member = await db
    .selectFrom('members')
    .select('role')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return (member?.role as Role | undefined) ?? null;
}

/** Whether the organization's plan has a capability. */
export async function hasCapability(
  db: Database,
  orgId: string,
  capability: NonNullable<Operation['capability']>,
): Promise<boolean> {
  const row = await db
    .selectFrom('organizations')
    .innerJoin('plans', 'plans.name', 'organizations.plan')
    .select(`plans.${capability} as has`)
    .where('organizations.id', '=', orgId)
    .executeTakeFirst();
  return row?.has === true;
}
