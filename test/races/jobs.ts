// The stored jobs of a race. Nobody works them but the race itself.
import { sql } from 'kysely';
import type { TestApp } from '../harness/app.ts';

/** A job makes another that is due at once, and that one perhaps a third. */
const ROUNDS = 3;

/**
 * Runs what is stored, and what that stores. Jobs are due by the clock of the database, which is behind that of the test: those that are
 * early store themselves again.
 */
export async function runJobs(app: TestApp): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const { rows } = await sql<{ task: string; payload: Record<string, unknown> }>`
      WITH due AS (SELECT id, task_identifier AS task FROM graphile_worker.jobs WHERE run_at <= ${app.clock.now()}),
        gone AS (DELETE FROM graphile_worker._private_jobs p USING due WHERE p.id = due.id RETURNING p.id, p.payload)
      SELECT due.task, gone.payload FROM due JOIN gone USING (id) ORDER BY id`.execute(app.db);
    for (const { task, payload } of rows) await app.runTask(task, payload);
  }
}
