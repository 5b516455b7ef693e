import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { silent } from '#test/harness/cluster.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { runWork, SYSTEM } from '../work.ts';
import { addJob } from './add-job.ts';
import { releaseDeadJobs } from './release-dead.ts';
import { migrateJobs } from './runner.ts';

test('a dead worker’s job is released after a minute; a running or long one is left alone', async () => {
  await using database = await freshDatabase();
  const { db, pool } = database;
  await migrateJobs(pool, silent);
  const lockedFor = { dead: '61 seconds', busy: '10 seconds', long: '10 minutes' };
  for (const [name, since] of Object.entries(lockedFor)) {
    const task = name === 'long' ? 'roll_up' : 'confirm';
    await runWork(db, new Date(), SYSTEM, ({ tx }) => addJob(tx, { task, payload: {}, key: name }));
    // As the library's workers claim them.
    await sql`UPDATE graphile_worker._private_jobs SET locked_by = ${`worker-${name}`}, locked_at = now() - ${since}::interval
      WHERE key = ${name}`.execute(db);
  }
  const locked = async () => {
    const { rows } = await sql<{ key: string }>`
      SELECT key FROM graphile_worker.jobs WHERE locked_by IS NOT NULL ORDER BY key`.execute(db);
    return rows.map(({ key }) => key);
  };
  assert.equal(await releaseDeadJobs(db, ['confirm']), 1);
  assert.deepEqual(await locked(), ['busy', 'long']);
  assert.equal(await releaseDeadJobs(db, ['confirm']), 0);
});
