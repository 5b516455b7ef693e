import { sql } from 'kysely';
import type { Database } from '../work.ts';

/**
 * Frees jobs of these tasks that somebody took more than a minute ago: they take seconds, so whoever took them has died.
 * By itself the library frees them after four hours only. Should one still be at work, the job runs twice, which every
 * task stands. Answers how many were found.
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
