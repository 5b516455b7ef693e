// Roles and capabilities in an organization. Read per request and never cached, so that a removed member is out at once.
import { CompiledQuery } from 'kysely';
import type { Role } from '../domain/names.ts';
import type { Operation } from '../platform/contract.ts';
import type { Database } from '../platform/work.ts';

/** Not composed anew for every request. */
const ROLE = 'SELECT role FROM members WHERE org_id = $1 AND user_id = $2';

/** The role of a user in an organization; null when not a member. */
export async function roleOf(db: Database, orgId: string, userId: string): Promise<Role | null> {
  const { rows } = await db.executeQuery<{ role: Role }>(CompiledQuery.raw(ROLE, [orgId, userId]));
  return rows[0]?.role ?? null;
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
