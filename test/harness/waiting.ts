import { sql } from 'kysely';
import type { Database } from '#src/platform/work.ts';

/** The number of statements on this database that wait for a lock; of those with `about` in their text, if it is given. */
export async function waitingStatements(db: Database, about = ''): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE ${`%${about}%`}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
