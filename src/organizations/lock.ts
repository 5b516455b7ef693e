import type { Tx } from '../platform/work.ts';

/**
 * Holds the organization's row until the end of the transaction; false where it was deleted meanwhile. Code that
 * counts openings of incidents, or reads or writes alarms, must hold it.
 */
export async function lockOrganization(tx: Tx, orgId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', orgId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
