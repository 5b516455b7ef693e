import { sql } from 'kysely';
import { advisoryLock } from './db/advisory-lock.ts';
import { refuse } from './refusals.ts';
import type { Tx } from './work.ts';

type Counted = {
  /** The table whose rows of the organization count. */
  table: string;
  /** The name of the lock; every version of the server must use the same one. */
  lock: string;
  max: number;
  message: string;
};

/**
 * Refuses with 409 `limit_reached` if the organization already has `max` of them. Holds a lock until the end of the transaction,
 * since two concurrent requests could otherwise both take the last place.
 */
export async function refuseBeyond(
  tx: Tx,
  orgId: string,
  { table, lock, max, message }: Counted,
): Promise<void> {
  await advisoryLock(tx, `${lock} ${orgId}`);
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM ${sql.table(table)} WHERE org_id = ${orgId}`.execute(tx);
  if ((rows[0]?.n ?? 0) >= max) refuse('limit_reached', message, { limit: max });
}
