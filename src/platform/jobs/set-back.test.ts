import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { silent } from '#test/harness/cluster.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { runWork, SYSTEM } from '../work.ts';
import { addJob } from './add-job.ts';
import { migrateJobs } from './runner.ts';
import { rightJobs } from './set-back.ts';

test('jobs that were stored, or failed, while the clock was a year ahead are due as soon as they were meant to be', async () => {
  await using database = await freshDatabase();
  const { db, pool } = database;
  await migrateJobs(pool, silent);
  // How long ago it was stored, in how long it is due, and how often it has failed.
  const jobs: Record<string, [stored: string, due: string, attempts: number]> = {
    at_once: ['1 year', '1 year', 0],
    later: ['1 year', '1 year 1 hour', 0],
    failed: ['-1 minute', '1 year', 3],
    planned: ['-1 minute', '1 year', 0],
    pausing: ['-1 minute', '15 seconds', 3],
  };
  for (const [key, [stored, due, attempts]] of Object.entries(jobs)) {
    await runWork(db, new Date(), SYSTEM, ({ tx }) => addJob(tx, { task: 'some', payload: {}, key }));
    await sql`UPDATE graphile_worker._private_jobs SET updated_at = now() + ${stored}::interval,
      run_at = now() + ${due}::interval, attempts = ${attempts} WHERE key = ${key}`.execute(db);
  }
  const minutes = async () => {
    const { rows } = await sql<{ key: string; minutes: number }>`
      SELECT key, round(extract(epoch FROM run_at - now()) / 60)::int AS minutes FROM graphile_worker._private_jobs`.execute(
      db,
    );
    return Object.fromEntries(rows.map((row) => [row.key, row.minutes]));
  };
  const before = await minutes();
  assert.equal(await rightJobs(db), 3);
  const { planned } = before;
  assert.deepEqual(await minutes(), { at_once: 0, later: 60, failed: 0, planned, pausing: before.pausing });
  assert.equal(await rightJobs(db), 0);
});

test('what recurs runs on although it last ran at a time that the clock has left again', async () => {
  await using database = await freshDatabase();
  const { db, pool } = database;
  await migrateJobs(pool, silent);
  await sql`INSERT INTO graphile_worker._private_known_crontabs (identifier, known_since, last_execution) VALUES
    ('roll_up', now(), now() + interval '1 year'), ('sweep', now(), now() - interval '1 hour')`.execute(db);
  assert.equal(await rightJobs(db), 1);
  const { rows } = await sql`SELECT identifier FROM graphile_worker._private_known_crontabs
    WHERE last_execution > now()`.execute(db);
  assert.deepEqual(rows, []);
});
