// The lock of checks_closed_until() in the migrations: shared by writers of checks, exclusive for code that closes a part of
// the time they write into.
import { sql } from 'kysely';
import type { Tx } from '../platform/work.ts';

const CLOSING_LOCK = 7_262_748;
const LOCK_NOT_AVAILABLE = '55P03';

/** Waits for current writers of checks, but not for a long write (an import): that fails after a second (`isStillWritten`). */
export async function lockClosing(tx: Tx): Promise<void> {
  await sql`SET LOCAL lock_timeout = '1s'`.execute(tx);
  await sql`SELECT pg_advisory_xact_lock(${CLOSING_LOCK})`.execute(tx);
}

/** Whether a transaction failed because checks were written for too long. */
export const isStillWritten = (error: unknown): boolean =>
  (error as { code?: string }).code === LOCK_NOT_AVAILABLE;
