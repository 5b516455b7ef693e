import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { emptyDatabase } from '#test/harness/database.ts';
import { createLog } from '../log.ts';
import type { Database, Tx } from '../work.ts';
import { makeReady } from './keep-ready.ts';
import { openPool } from './pool.ts';
import { inTransaction } from './transaction.ts';

async function opened(pooler: 'pooler' | null = null) {
  const database = await emptyDatabase();
  const { db, pool, close } = openPool({
    ...{ url: database.url, log: createLog('silent'), size: 1 },
    pooler: pooler && { directUrl: database.url, keepsStatements: true },
  });
  await sql`CREATE TABLE bells (id int PRIMARY KEY, name text)`.execute(db);
  return {
    db,
    /** From now on a new connection is used. */
    async reconnect() {
      await pool.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
      while (pool.totalCount > 0) await new Promise(setImmediate);
      await pool.query('SELECT 1');
    },
    /** The statements that the connection in use has prepared, and how often it has planned each. */
    async prepared() {
      const { rows } = await pool.query(
        'SELECT statement, generic_plans::int AS plans FROM pg_prepared_statements',
      );
      return rows as { statement: string; plans: number }[];
    },
    async [Symbol.asyncDispose]() {
      await close();
      await database[Symbol.asyncDispose]();
    },
  };
}

const URGENT = { keepPlans: true, keepReady: true };
const ring = (tx: Tx, id: number) =>
  sql<{ id: number }>`INSERT INTO bells (id, name) VALUES (${id}, ${'tocsin'}) RETURNING id`.execute(tx);
const ringIn = async (db: Database, id: number) =>
  (await inTransaction(db, (tx) => ring(tx, id), URGENT)).rows;

test('a new connection plans the statements that are kept ready, and runs none of them', async () => {
  await using database = await opened();
  await ringIn(database.db, 1);
  await database.reconnect();
  assert.deepEqual(await makeReady(database.db), { missing: 1, refused: 0 });
  assert.deepEqual(await makeReady(database.db), { missing: 0, refused: 0 });
  const [statement] = await database.prepared();
  assert.match(statement?.statement ?? '', /INSERT INTO bells/);
  assert.equal(statement?.plans, 1);
  const { rows } = await sql<{ id: number }>`SELECT id FROM bells`.execute(database.db);
  assert.deepEqual(rows, [{ id: 1 }]);
  // With the plan that is there.
  assert.deepEqual(await ringIn(database.db, 2), [{ id: 2 }]);
  assert.equal((await database.prepared()).length, 1);
});

test('statements of other work are not prepared ahead of time', async () => {
  await using database = await opened();
  await inTransaction(database.db, (tx) => sql`SELECT name FROM bells WHERE id = ${1}`.execute(tx), {
    keepPlans: true,
  });
  await database.reconnect();
  await makeReady(database.db);
  const prepared = await database.prepared();
  assert.ok(!prepared.some(({ statement }) => statement.includes('WHERE id = ')), JSON.stringify(prepared));
});

test('a statement that cannot be prepared any longer is left alone, and the connection stays usable', async () => {
  await using database = await opened();
  await inTransaction(database.db, (tx) => sql`SELECT name FROM bells WHERE id < ${3}`.execute(tx), URGENT);
  await sql`ALTER TABLE bells RENAME COLUMN name TO title`.execute(database.db);
  await database.reconnect();
  assert.ok((await makeReady(database.db)).refused > 0);
  assert.deepEqual(await database.prepared(), []);
  assert.deepEqual(await makeReady(database.db), { missing: 0, refused: 0 });
});

test('behind a pooler nothing is prepared ahead of time: it would not know of it', async () => {
  await using database = await opened('pooler');
  await ringIn(database.db, 1);
  await database.reconnect();
  assert.deepEqual(await makeReady(database.db), { missing: 0, refused: 0 });
  assert.deepEqual(await database.prepared(), []);
  assert.deepEqual(await ringIn(database.db, 2), [{ id: 2 }]);
});
