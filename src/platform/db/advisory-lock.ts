import { sql } from 'kysely';
import type { Tx } from '../work.ts';

/** Takes the lock of this name, waiting if needed, and holds it until the end of this transaction. */
export async function advisoryLock(tx: Tx, name: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}
