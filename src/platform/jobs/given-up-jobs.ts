// Stored jobs that have failed for the last time: after some four days of growing pauses the library lets them lie.
import { sql } from 'kysely';
import type pg from 'pg';
import type { Log } from '../log.ts';
import type { Database } from '../work.ts';

/** How many there are of each task. */
export async function givenUpJobs(db: Database): Promise<{ task: string; count: number }[]> {
  const { rows } = await sql<{ task: string; count: number }>`
    SELECT task_identifier AS task, count(*)::int AS count
    FROM graphile_worker.jobs WHERE attempts >= max_attempts AND locked_at IS NULL
    GROUP BY task_identifier ORDER BY task_identifier`.execute(db);
  return rows;
}

/** Has them tried again from the beginning: who starts a server has mended something, or brings a new version. */
export async function tryGivenUpAgain(pool: pg.Pool, log: Log): Promise<void> {
  const { rowCount } = await pool.query(`
    UPDATE graphile_worker._private_jobs SET attempts = 0, run_at = now(), updated_at = now()
    WHERE id = ANY(ARRAY(
      SELECT id FROM graphile_worker._private_jobs WHERE attempts >= max_attempts AND locked_at IS NULL FOR UPDATE SKIP LOCKED))`);
  if (rowCount) log.warn({ jobs: rowCount }, 'stored jobs that had failed for the last time are tried again');
}
