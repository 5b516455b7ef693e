import { sql } from 'kysely';
import type { Tx } from '../platform/work.ts';

/**
 * Holds the organization's row until the end of the transaction; false where it was deleted meanwhile. Code that
 * counts openings of incidents, or reads or writes alarms, must hold it.
 */
export async function lockOrganization(tx: Tx, orgId: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM organizations WHERE id = ${orgId} FOR NO KEY UPDATE`.execute(tx);
  return rows.length > 0;
}
