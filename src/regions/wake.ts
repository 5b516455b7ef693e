import { sql } from 'kysely';
import type { Database, Tx } from '../platform/work.ts';

/** Payload: the number of a region whose probes have something to learn. */
export const ASSIGNMENTS_CHANNEL = 'tocsin_assignments';

/** Wakes the waiting probes of a region, on every server, once this transaction is committed. */
export async function wakeProbes(db: Database | Tx, regionNo: number): Promise<void> {
  await sql`SELECT pg_notify(${ASSIGNMENTS_CHANNEL}, ${String(regionNo)})`.execute(db);
}
