import { sql } from 'kysely';
import type { Database } from '../work.ts';

/**
 * Frees the jobs of these tasks that were claimed more than a minute ago: they take seconds, so their worker has died. The
 * library itself frees them only after four hours. If a worker is still alive, the job runs twice, which every task
 * tolerates. Returns how many it found.
 */
export async function releaseDeadJobs(db: Database, tasks: readonly string[]): Promise<number> {
  // Job by job: all workers of a process claim under one name, and a long job of the same process must not run twice. A claim
  // of the future is from before the clock of the database was set back.
  const { rows } = await sql`
    UPDATE graphile_worker._private_jobs AS claimed SET locked_by = NULL, locked_at = NULL
    FROM graphile_worker.jobs AS job
    WHERE claimed.id = job.id AND job.task_identifier = ANY(${[...tasks]}::text[])
      AND claimed.locked_at NOT BETWEEN now() - interval '1 minute' AND now() + interval '1 minute'
    RETURNING claimed.id`.execute(db);
  return rows.length;
}
