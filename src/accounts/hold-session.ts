import { sql } from 'kysely';
import type { Caller } from '../platform/http/caller.ts';
import { refuse } from '../platform/refusals.ts';
import type { Tx } from '../platform/work.ts';

/**
 * Refuses what a session has just stored if the session was ended since the request came; until the end of the transaction, no first
 * proof of the person's address takes anything away (first-proof.ts). Otherwise one that comes in between would not see it. Called
 * last: a reference to the person locks their row as late.
 */
export async function holdSession(tx: Tx, caller: Caller | null): Promise<void> {
  if (caller?.kind !== 'user') return;
  const { userId, sessionId } = caller;
  await sql`SELECT FROM users WHERE id = ${userId} FOR KEY SHARE`.execute(tx);
  // A separate statement, so that it sees what was committed while the first one waited.
  const { rows } = await sql`SELECT FROM sessions WHERE id = ${sessionId} AND user_id = ${userId}`.execute(
    tx,
  );
  if (rows.length === 0) refuse('unauthenticated', 'Your session was ended just now. Sign in again.');
}
