import { sql } from 'kysely';
import type { Database, Tx } from '../platform/work.ts';
import type { PlanInUse } from './contract.ts';

/**
 * An organization's usage of its plan at `now`: monitors (enabled or not), and seats, which are members and open
 * invitations together (docs/rules/access.md#invitations). Count under `lockLimits` where something depends on it.
 */
export async function planUsage(db: Database | Tx, orgId: string, now: Date): Promise<PlanInUse['used']> {
  const { rows } = await sql<PlanInUse['used']>`
    SELECT (SELECT count(*) FROM monitors WHERE org_id = ${orgId})::int AS monitors,
      (SELECT count(*) FROM members WHERE org_id = ${orgId})::int
        + (SELECT count(*) FROM invitations WHERE org_id = ${orgId} AND expires_at > ${now})::int AS seats`.execute(
    db,
  );
  return rows[0] ?? { monitors: 0, seats: 0 };
}
