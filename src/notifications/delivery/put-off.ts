// Tries whose end cannot be written down as it should be: what is sent on must not depend on it.
import { sql } from 'kysely';
import { nextTry } from '#src/domain/backoff.ts';
import { WEBHOOK_FAMILIES } from '#src/domain/names.ts';
import type { Database } from '#src/platform/work.ts';
import type { Landed } from './attempt.ts';
import { madeAt } from './generic-plans.ts';

/**
 * Moves what a try told of on in the queue, and in the list of deliveries, and tells nobody: what arrived is not sent
 * again, what did not is tried after the pause it would have had. What somebody else has taken over is theirs.
 */
export async function putOff(
  db: Database,
  now: Date,
  { flight, attempted }: Landed,
  random: number,
): Promise<void> {
  const { outcome, statusCode, error } = attempted;
  const paging = WEBHOOK_FAMILIES[flight.target.kind] === 'paging';
  for (const { seq, id, created_at, attempts, leased_until } of flight.deliveries) {
    const next =
      outcome.kind === 'delivered' ? null : nextTry({ attempt: attempts, outcome, random, paging });
    const retryAt = next?.kind === 'retry' ? new Date(now.getTime() + next.inMs) : null;
    const mine = sql`seq = ${seq}::bigint AND leased_until = ${leased_until}`;
    const { numAffectedRows } = await (retryAt === null
      ? sql`DELETE FROM delivery_queue WHERE ${mine}`
      : sql`UPDATE delivery_queue SET leased_until = NULL, next_attempt_at = ${retryAt} WHERE ${mine}`
    ).execute(db);
    if (numAffectedRows === 0n) continue;
    const state = next === null ? 'delivered' : retryAt === null ? 'failed' : 'pending';
    await sql`
      UPDATE deliveries SET state = ${state}, attempts = ${attempts}, next_attempt_at = ${retryAt},
        finished_at = ${retryAt === null ? now : null}, status_code = ${statusCode}, error = ${error}
      WHERE ${madeAt([id], [created_at])}`.execute(db);
  }
}
