import { sql } from 'kysely';
import type { Tx } from '../platform/work.ts';

/**
 * Until the end of the transaction, nobody removes this person from the organization; false if they are no member any more. What a
 * removal takes along is stored under it: otherwise one that is under way would not see it. Before the organization's row.
 */
export async function lockMember(tx: Tx, orgId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM members WHERE org_id = ${orgId} AND user_id = ${userId} FOR KEY SHARE`.execute(tx);
  return rows.length > 0;
}
