import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { HOUR_MS } from '#src/domain/durations.ts';
import { silent } from '#test/harness/cluster.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { until } from '#test/harness/until.ts';
import { runWork, SYSTEM } from '../work.ts';
import { addJob } from './add-job.ts';
import { givenUpJobs } from './given-up-jobs.ts';
import { type Jobs, migrateJobs, startJobs } from './runner.ts';

/** The same pool; a connection asked for while `holds` is given only once `open` is called. */
function gated(pool: pg.Pool, holds: () => boolean) {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const connect = (done?: Parameters<pg.Pool['connect']>[0]) => {
    const give = (): unknown => (done ? pool.connect(done) : pool.connect());
    if (!holds()) return give();
    asked.resolve();
    return gate.promise.then(give);
  };
  return {
    pool: new Proxy(pool, { get: (of, name) => (name === 'connect' ? connect : Reflect.get(of, name, of)) }),
    asked: asked.promise,
    open: gate.resolve,
  };
}

test('a stop while the queue begins again waits until it can end it', async (t) => {
  await using database = await freshDatabase();
  await migrateJobs(database.pool, silent);
  let jobs: Jobs | null = null;
  const gate = gated(database.pool, () => jobs !== null && !jobs.healthy());
  const { exitCode } = process;
  t.after(() => {
    process.exitCode = exitCode;
  });
  jobs = await startJobs({
    ...{ pool: gate.pool, log: silent, tasks: {}, recurring: {} },
    ...{ polls: true, restartMs: 0 },
  });
  // The library ends its queue, and asks for an exit code, when another server brings its tables to another version.
  await until(async () => {
    await database.pool.query(`SELECT pg_notify('worker:migrate', '{"breaking":true,"migrationNumber":99}')`);
    return !jobs?.healthy();
  }, 'the queue ends');
  await gate.asked;
  const stopping = jobs.stop().then(() => 'stopped');
  const soon = await Promise.race([stopping, nextTurn('still begins')]);
  gate.open();
  assert.equal(soon, 'still begins');
  assert.equal(await stopping, 'stopped');
});

test('what was due while no server ran is made up for at the start, once', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  await migrateJobs(pool, silent);
  await pool.query(`INSERT INTO graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    VALUES ('nightly', now() - interval '9 days', now() - interval '2 days')`);
  const missed = new Date(Date.now() - 3 * HOUR_MS);
  let runs = 0;
  const started = () =>
    startJobs({
      ...{ pool, log: silent, polls: true },
      tasks: {
        nightly: async () => {
          runs += 1;
        },
      },
      recurring: { nightly: `${missed.getUTCMinutes()} ${missed.getUTCHours()} * * *` },
    });
  const first = await started();
  await until(() => runs > 0, 'it runs', 20_000);
  await first.stop();
  const second = await started();
  await second.stop();
  const { rows } = await pool.query('SELECT FROM graphile_worker.jobs');
  assert.deepEqual([runs, rows.length], [1, 0]);
});

test('a job that has failed for the last time is counted, and tried again at the next start', async () => {
  await using database = await freshDatabase();
  const { db, pool } = database;
  await migrateJobs(pool, silent);
  for (const key of ['given up', 'failed before'])
    await runWork(db, new Date(), SYSTEM, ({ tx }) => addJob(tx, { task: 'derive', payload: { key }, key }));
  await pool.query(`UPDATE graphile_worker._private_jobs SET run_at = now() + interval '1 hour',
    attempts = CASE key WHEN 'given up' THEN max_attempts ELSE 3 END`);
  assert.deepEqual(await givenUpJobs(db), [{ task: 'derive', count: 1 }]);
  const run: string[] = [];
  const tasks = { derive: async ({ key }: { key: string }) => void run.push(key) };
  const jobs = await startJobs({ pool, log: silent, tasks, recurring: {}, polls: true });
  await until(() => run.length > 0, 'it runs', 20_000);
  await jobs.stop();
  assert.deepEqual(run, ['given up']);
  assert.deepEqual(await givenUpJobs(db), []);
});
