import { sql } from 'kysely';
import type { Database } from '../work.ts';

/** Stored jobs that are due and that no worker has claimed; `oldestSeconds` is how long the first has been due. */
export async function dueJobs(db: Database): Promise<{ count: number; oldestSeconds: number }> {
  // Due by the database's own clock, which the library uses.
  const { rows } = await sql<{ count: number; oldest: number | null }>`
    SELECT count(*)::int AS count, extract(epoch FROM now() - min(run_at))::float8 AS oldest
    FROM graphile_worker.jobs WHERE run_at <= now() AND locked_at IS NULL AND attempts < max_attempts`.execute(
    db,
  );
  return { count: rows[0]?.count ?? 0, oldestSeconds: rows[0]?.oldest ?? 0 };
}
