import { sql } from 'kysely';
import { refuse } from '../platform/refusals.ts';
import type { Tx } from '../platform/work.ts';

/**
 * Refuses with `last_owner` to take the role of an organization's only owner (docs/rules/access.md#ownership). Only under
 * `lockLimits`: two owners who leave at once would each see the other.
 */
export async function refuseLastOwner(tx: Tx, orgId: string): Promise<void> {
  const { owners } = await tx
    .selectFrom('members')
    .select(sql<number>`count(*)::int`.as('owners'))
    .where('org_id', '=', orgId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow();
  if (owners <= 1)
    refuse('last_owner', 'This is the only owner of the organization. Make somebody else an owner first.');
}
