import { sql } from 'kysely';
import type { Tx } from '../work.ts';

/** Waits until no other transaction holds the lock of this name, and holds it until the end of this one. */
export async function advisoryLock(tx: Tx, name: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}
