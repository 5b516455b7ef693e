// The pool through a real PgBouncer that has fewer sessions than the pool has connections.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { silent } from '#test/harness/cluster.ts';
import { closeAfterTests, type FreshDatabase, freshDatabase } from '#test/harness/database.ts';
import { noPgBouncer, type PgBouncer, startPgBouncer } from '#test/harness/pgbouncer.ts';
import { type DatabasePool, openPool } from './pool.ts';
import { findPooler } from './pooler.ts';
import { inTransaction } from './transaction.ts';

const skip = noPgBouncer();
const stack = new AsyncDisposableStack();
let database: FreshDatabase;
let pgBouncer: PgBouncer;
let pool: DatabasePool;

before(async () => {
  if (skip) return;
  closeAfterTests(() => stack.disposeAsync());
  database = stack.use(await freshDatabase({ poolSize: 1 }));
  pgBouncer = stack.use(await startPgBouncer(database.url, 2));
  const pooler = await findPooler(pgBouncer.url, database.url);
  pool = openPool({ url: pgBouncer.url, log: silent, pooler });
  stack.defer(() => pool.close());
});

test('without a direct address, or with the same one, there is no pooler', async () => {
  assert.equal(await findPooler('postgres://u@h/d', null), null);
  assert.equal(await findPooler('postgres://u@h/d', 'postgres://u@h/d'), null);
});

test('a pooler says whether it keeps prepared statements: PgBouncer from 1.21 on', { skip }, async () => {
  const said = spawnSync('pgbouncer', ['--version'], {
    encoding: 'utf8',
    env: { PATH: '/usr/sbin:/usr/bin' },
  });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(said.stdout) ?? [];
  const keepsStatements = Number(major) > 1 || Number(minor) >= 21;
  const pooler = await findPooler(pgBouncer.url, database.url);
  assert.deepEqual(pooler, { directUrl: database.url, keepsStatements });
});

test('a direct address that leads to another database is refused', { skip }, async () => {
  await using other = await freshDatabase({ poolSize: 1 });
  await assert.rejects(findPooler(pgBouncer.url, other.url), /lead to different databases/);
});

test('detecting the pooler leaves nothing in a session that others get', { skip }, async () => {
  for (let i = 0; i < 3; i++) await findPooler(pgBouncer.url, database.url);
  const { rows } = await pool.pool.query('SELECT name FROM pg_prepared_statements WHERE name LIKE $1', [
    'tocsin%',
  ]);
  assert.deepEqual(rows, []);
});

test('frequent statements and pipelined transactions work, whichever session runs them', {
  skip,
}, async () => {
  const asked = Array.from({ length: 200 }, (_, i) => i);
  const single = asked.map(async (i) => (await pool.pool.query('SELECT $1::int AS i', [i])).rows[0].i);
  const inPairs = asked.map((i) =>
    inTransaction(
      pool.db,
      async (tx) => {
        const both = [i, i].map((each) => sql<{ i: number }>`SELECT ${each}::int + 1 AS i`.execute(tx));
        return (await Promise.all(both)).map(({ rows }) => rows[0]?.i);
      },
      { keepPlans: true },
    ),
  );
  assert.deepEqual(await Promise.all(single), asked);
  assert.deepEqual(
    await Promise.all(inPairs),
    asked.map((i) => [i + 1, i + 1]),
  );
});

test('a transaction has its time limits, and leaves none behind', { skip }, async () => {
  const limits = sql<{ limit: string }>`SELECT current_setting('statement_timeout') AS limit`;
  const within = await inTransaction(pool.db, async (tx) => (await limits.execute(tx)).rows);
  assert.deepEqual(within, [{ limit: '10s' }]);
  assert.deepEqual((await limits.execute(pool.db)).rows, [{ limit: '0' }]);
});

test('features that need a session have their own', { skip }, async () => {
  const pids = await Promise.all(
    [1, 2, 3].map(() => pool.sessions.query('SELECT pg_sleep(0.01), pg_backend_pid() AS pid')),
  );
  assert.equal(new Set(pids.map(({ rows }) => rows[0].pid)).size, 3);
  const [{ limit }] = (await pool.sessions.query("SELECT current_setting('lock_timeout') AS limit")).rows;
  assert.equal(limit, '5s');
});
