import { sql } from 'kysely';
import type { Database } from '../work.ts';

/**
 * Frees jobs of these tasks that were claimed more than a minute ago: they take seconds, so their worker has died. The
 * library itself frees them only after four hours. If a worker is still alive, the job runs twice, which every task
 * tolerates. Returns how many it found.
 */
export async function releaseDeadJobs(db: Database, tasks: readonly string[]): Promise<number> {
  const { rows } = await sql<{ locked_by: string }>`
    SELECT locked_by FROM graphile_worker.jobs
    WHERE locked_at < now() - interval '1 minute' AND task_identifier = ANY(${[...tasks]}::text[])`.execute(
    db,
  );
  if (rows.length === 0) return 0;
  const workers = [...new Set(rows.map((row) => row.locked_by))];
  await sql`SELECT graphile_worker.force_unlock_workers(${workers}::text[])`.execute(db);
  return rows.length;
}
