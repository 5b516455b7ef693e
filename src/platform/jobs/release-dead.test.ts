import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { silent } from '#test/harness/cluster.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { type Database, runWork, SYSTEM } from '../work.ts';
import { addJob } from './add-job.ts';
import { releaseDeadJobs } from './release-dead.ts';
import { migrateJobs } from './runner.ts';

/** Jobs that a worker of this name has claimed so long ago, by their keys. */
async function claim(db: Database, claims: Record<string, { task: string; by: string; ago: string }>) {
  for (const [key, { task, by, ago }] of Object.entries(claims)) {
    await runWork(db, new Date(), SYSTEM, ({ tx }) => addJob(tx, { task, payload: {}, key }));
    // As the library's workers claim them.
    await sql`UPDATE graphile_worker._private_jobs SET locked_by = ${by}, locked_at = now() - ${ago}::interval
      WHERE key = ${key}`.execute(db);
  }
  return async () => {
    const { rows } = await sql<{ key: string }>`
      SELECT key FROM graphile_worker.jobs WHERE locked_by IS NOT NULL ORDER BY key`.execute(db);
    return rows.map(({ key }) => key);
  };
}

test('a dead worker’s job is released after a minute; a running or long one is left alone', async () => {
  await using database = await freshDatabase();
  const { db, pool } = database;
  await migrateJobs(pool, silent);
  const claimed = await claim(db, {
    dead: { task: 'confirm', by: 'one', ago: '61 seconds' },
    busy: { task: 'confirm', by: 'another', ago: '10 seconds' },
    long: { task: 'roll_up', by: 'another', ago: '10 minutes' },
  });
  assert.equal(await releaseDeadJobs(db, ['confirm']), 1);
  assert.deepEqual(await claimed(), ['busy', 'long']);
  assert.equal(await releaseDeadJobs(db, ['confirm']), 0);
});

test('a slow job takes no other job away from the process that runs both', async () => {
  await using database = await freshDatabase();
  const { db, pool } = database;
  await migrateJobs(pool, silent);
  const claimed = await claim(db, {
    slow: { task: 'confirm', by: 'pool', ago: '61 seconds' },
    fresh: { task: 'confirm', by: 'pool', ago: '1 second' },
    long: { task: 'purge_checks', by: 'pool', ago: '10 minutes' },
  });
  assert.equal(await releaseDeadJobs(db, ['confirm']), 1);
  assert.deepEqual(await claimed(), ['fresh', 'long']);
});

test('a job that was claimed before the clock was set back is released', async () => {
  await using database = await freshDatabase();
  const { db, pool } = database;
  await migrateJobs(pool, silent);
  const claimed = await claim(db, {
    future: { task: 'confirm', by: 'pool', ago: '-1 day' },
    now: { task: 'confirm', by: 'pool', ago: '-1 second' },
  });
  assert.equal(await releaseDeadJobs(db, ['confirm']), 1);
  assert.deepEqual(await claimed(), ['now']);
});
