import { sql } from 'kysely';
import type { Database } from '../work.ts';

/** Clocks of machines differ by less. */
const TOLERATED = sql.raw("interval '1 minute'");
/** The pause after a failure, as the library computes it. */
const PAUSE = sql.raw("exp(least(10, attempts)) * interval '1 second'");

/**
 * Rights jobs that were stored, and recurring ones that last ran, at a time of the future: the clock was ahead and has been set back
 * (docs/rules/confirmation.md#a-clock-that-was-set-back). Jobs are due as soon as they were meant to be; one that runs too early
 * stores itself again. Those that failed wait no longer than the library ever makes them. Recurring ones would not run until the
 * clock comes there again. Returns how many it found.
 */
export async function rightJobs(db: Database): Promise<number> {
  // By the database's own clock, which the library uses. What another transaction is changing is stored anew by it.
  const jobs = await sql`
    UPDATE graphile_worker._private_jobs SET updated_at = least(updated_at, now()),
      run_at = CASE WHEN updated_at > now() + ${TOLERATED} THEN now() + greatest(run_at - updated_at, '0')
        ELSE least(run_at, now() + ${PAUSE}) END
    WHERE id = ANY(ARRAY(
      SELECT id FROM graphile_worker._private_jobs
      WHERE locked_at IS NULL AND (updated_at > now() + ${TOLERATED}
        OR attempts > 0 AND run_at > now() + ${PAUSE} + ${TOLERATED})
      FOR UPDATE SKIP LOCKED))`.execute(db);
  const recurring = await sql`
    UPDATE graphile_worker._private_known_crontabs SET last_execution = now(), known_since = least(known_since, now())
    WHERE last_execution > now() + ${TOLERATED}`.execute(db);
  return Number(jobs.numAffectedRows) + Number(recurring.numAffectedRows);
}
