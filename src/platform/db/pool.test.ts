import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { emptyDatabase } from '#test/harness/database.ts';
import { until } from '#test/harness/until.ts';
import { createLog } from '../log.ts';
import { isDatabaseAway } from './away.ts';
import { openPool } from './pool.ts';
import { inTransaction } from './transaction.ts';

async function opened() {
  const database = await emptyDatabase();
  const pool = openPool({ url: database.url, log: createLog('silent'), size: 2 });
  const close = async () => {
    await pool.close();
    await database[Symbol.asyncDispose]();
  };
  return { ...pool, [Symbol.asyncDispose]: close };
}

test('values arrive as numbers, Dates and texts without losing anything', async () => {
  await using database = await opened();
  const { rows } = await database.pool.query(
    "SELECT 9007199254740991::bigint AS big, '2026-03-29 01:30:00.123+00'::timestamptz AS at, " +
      "'2026-03-29'::date AS day, 0.1::numeric AS exact",
  );
  const at = new Date('2026-03-29T01:30:00.123Z');
  assert.deepEqual(rows[0], { big: 9007199254740991, at, day: '2026-03-29', exact: '0.1' });
});

test('close ends even connections made by the bare pool', async () => {
  await using database = await emptyDatabase();
  await using watcher = await opened();
  const pool = openPool({ url: database.url, log: createLog('silent'), name: 'used bare' });
  await pool.pool.query('SELECT 1');
  await pool.close();
  assert.equal(pool.pool.totalCount, 0);
  const left = "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'used bare'";
  await until(
    async () => (await watcher.pool.query(left)).rows[0].count === 0,
    'PostgreSQL ends the connections',
    10_000,
  );
});

test('a connection cut while in use fails its next statement and does not end the process', async () => {
  await using database = await opened();
  const client = await database.pool.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
  await assert.rejects(client.query('SELECT 1'));
  client.release(true);
  assert.equal((await database.pool.query('SELECT 1 AS one')).rows[0].one, 1);
});

test('a bigint beyond 2^53 fails the query instead of losing digits', async () => {
  await using database = await opened();
  await assert.rejects(database.pool.query('SELECT 9007199254740993::bigint'), /does not fit/);
  assert.equal((await database.pool.query('SELECT 1 AS one')).rows[0].one, 1);
});

test('connections cut while idle are replaced and do not end the process', async () => {
  await using database = await opened();
  await database.pool.query('SELECT 1');
  await database.pool
    .query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()')
    .catch(() => undefined);
  const answers = await Promise.allSettled([
    database.pool.query('SELECT 1'),
    database.pool.query('SELECT 1'),
  ]);
  assert.ok(answers.length === 2);
  assert.equal((await database.pool.query('SELECT 2 AS two')).rows[0].two, 2);
});

test('every connection carries its name and time limits', async () => {
  await using database = await opened();
  const { rows } = await database.pool.query(
    "SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock, " +
      "current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('application_name') AS name",
  );
  assert.deepEqual(rows[0], { statement: '10s', lock: '5s', idle: '30s', name: 'tocsin' });
});

test('a server that became read-only counts as down, and the refused statement’s successor uses another connection', async () => {
  await using database = await opened();
  const other = await database.pool.connect();
  const { rows } = await other.query('SELECT current_database() AS name');
  const write = () => inTransaction(database.db, (tx) => sql`CREATE TABLE written ()`.execute(tx));
  try {
    await other.query(`ALTER DATABASE "${rows[0].name}" SET default_transaction_read_only = on`);
    await assert.rejects(write(), isDatabaseAway);
    await other.query(`ALTER DATABASE "${rows[0].name}" RESET default_transaction_read_only`);
  } finally {
    other.release(true);
  }
  await write();
});
