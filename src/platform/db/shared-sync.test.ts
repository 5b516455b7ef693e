import assert from 'node:assert/strict';
import type { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { sql } from 'kysely';
import type pg from 'pg';
import { freshDatabase } from '#test/harness/database.ts';
import type { PreparingClient } from './preparing-client.ts';
import { inTransaction, type Tx } from './transaction.ts';

const ask = (tx: Tx, n: number) => sql<{ n: number }>`SELECT ${n}::int AS n`.execute(tx);
const fail = (tx: Tx) => sql`SELECT 1 / ${0}::int`.execute(tx);
const reasonOf = (result: PromiseSettledResult<unknown>) =>
  result.status === 'fulfilled' ? null : (result.reason as { code?: string }).code;

/** Counts how often PostgreSQL says from now on that it is ready, on the only connection. */
async function countReady({ pool }: Awaited<ReturnType<typeof freshDatabase>>): Promise<{ count: number }> {
  const client = await pool.connect();
  const { connection } = client as unknown as { connection: EventEmitter };
  const ready = { count: 0 };
  connection.on('readyForQuery', ({ shared }: { shared?: boolean }) => {
    if (!shared) ready.count += 1;
  });
  client.release();
  return ready;
}

test('PostgreSQL answers statements that are issued together at once', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  // Begin and commit are frequent.
  for (let i = 0; i < 20; i++) await inTransaction(database.db, (tx) => ask(tx, i));
  const ready = await countReady(database);
  const answers = await inTransaction(database.db, (tx) => Promise.all([1, 2, 3, 4].map((n) => ask(tx, n))));
  assert.deepEqual(
    answers.map(({ rows }) => rows),
    [[{ n: 1 }], [{ n: 2 }], [{ n: 3 }], [{ n: 4 }]],
  );
  // Behind the begin and the four, and behind the commit.
  assert.equal(ready.count, 2);
});

test('behind a statement that fails, those issued with it fail too, and each answer is its own', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  let settled: PromiseSettledResult<unknown>[] = [];
  const attempt = inTransaction(database.db, async (tx) => {
    settled = await Promise.allSettled([ask(tx, 1), fail(tx), ask(tx, 3), ask(tx, 4)]);
  });
  await assert.rejects(attempt, { code: '22012' });
  assert.deepEqual(settled.map(reasonOf), [null, '22012', '25P02', '25P02']);
  const { rows } = await inTransaction(database.db, (tx) => ask(tx, 5));
  assert.deepEqual(rows, [{ n: 5 }]);
});

test('a statement that was skipped before it was prepared can be run later', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const skipped = (tx: Tx) => sql<{ text: string }>`SELECT ${'first seen'}::text AS text`.execute(tx);
  const attempt = inTransaction(database.db, (tx) => Promise.all([fail(tx), skipped(tx)]), {
    keepPlans: true,
  });
  await assert.rejects(attempt, { code: '22012' });
  const { rows } = await inTransaction(database.db, skipped, { keepPlans: true });
  assert.deepEqual(rows, [{ text: 'first seen' }]);
});

test('a statement whose values cannot be sent fails, and takes no answer of another', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const circular: { self?: unknown } = {};
  circular.self = circular;
  let settled: PromiseSettledResult<{ rows: unknown[] }>[] = [];
  const attempt = inTransaction(
    database.db,
    async (tx) => {
      const unsendable = sql`SELECT ${circular}::jsonb`.execute(tx);
      settled = await Promise.allSettled([ask(tx, 1), unsendable, ask(tx, 3)]);
    },
    { keepPlans: true },
  );
  await assert.rejects(attempt, /circular/);
  assert.deepEqual(
    settled.map((each) => (each.status === 'fulfilled' ? each.value.rows : 'failed')),
    [[{ n: 1 }], 'failed', [{ n: 3 }]],
  );
  const { rows } = await inTransaction(database.db, (tx) => ask(tx, 5));
  assert.deepEqual(rows, [{ n: 5 }]);
});

test('a statement whose values could not be sent runs with others later', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const answer = (json: object) =>
    inTransaction(
      database.db,
      (tx) =>
        sql<{ sent: unknown }>`SELECT ${json}::jsonb AS sent, ${'once unsendable'}::text AS t`.execute(tx),
      { keepPlans: true },
    );
  for (let i = 1; i <= 2; i++) {
    await assert.rejects(answer(circular), /circular/);
    assert.deepEqual((await answer({ i })).rows, [{ sent: { i }, t: 'once unsendable' }]);
  }
});

test('a transaction fails with its first error, though a later statement misses one that was to be prepared', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const fresh = (tx: Tx) => sql`SELECT ${'never prepared'}::text AS t`.execute(tx);
  const attempt = inTransaction(
    database.db,
    async (tx) => {
      for (const unawaited of [fail(tx), fresh(tx)]) unawaited.catch(() => undefined);
      // Sent with the next Sync, before any answer.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      await fresh(tx);
    },
    { keepPlans: true },
  );
  await assert.rejects(attempt, { code: '22012' });
});

test('a statement that runs again on its connection answers the same columns', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const read = (n: number | null) =>
    inTransaction(
      database.db,
      (tx) =>
        sql`SELECT ${n}::int AS n, ARRAY[${n}::int] AS list, '2026-11-20 12:00Z'::timestamptz AS at`.execute(
          tx,
        ),
      { keepPlans: true },
    );
  const at = new Date('2026-11-20T12:00:00Z');
  for (const n of [1, null, 3]) assert.deepEqual((await read(n)).rows, [{ n, list: [n], at }]);
});

test('a statement without rows says how many it changed, each time', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const rename = () =>
    inTransaction(
      database.db,
      (tx) => tx.updateTable('regions').set({ name: 'Other' }).where('no', '=', 0).executeTakeFirst(),
      { keepPlans: true },
    );
  for (let i = 0; i < 3; i++) assert.equal((await rename()).numUpdatedRows, 1n);
});

test('a statement that returns every column returns a new one too', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const { db } = database;
  await sql`CREATE TABLE grows (a int)`.execute(db);
  await sql`INSERT INTO grows VALUES (${1})`.execute(db);
  // Often enough to be prepared.
  const read = async () => (await sql`SELECT * FROM grows WHERE a = ${1}`.execute(db)).rows;
  for (let i = 0; i < 30; i++) assert.deepEqual(await read(), [{ a: 1 }]);
  await sql`ALTER TABLE grows ADD COLUMN b text DEFAULT 'new'`.execute(db);
  for (let i = 0; i < 3; i++) assert.deepEqual(await read(), [{ a: 1, b: 'new' }]);
});

test('a prepared statement asks for its columns once per connection; behind a pooler, each time', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const client = (await database.pool.connect()) as pg.PoolClient & PreparingClient;
  client.release();
  const { connection } = client as unknown as { connection: EventEmitter };
  let described = 0;
  connection.on('rowDescription', () => described++);
  const read = () =>
    inTransaction(database.db, (tx) => sql`SELECT ${1}::int AS n /* asked */`.execute(tx), {
      keepPlans: true,
    });
  // Begin and commit are frequent, and the statement is prepared.
  for (let i = 0; i < 20; i++) await read();
  for (const [isDirect, answers] of [
    [true, 0],
    [false, 3],
  ] as const) {
    client.isDirect = isDirect;
    described = 0;
    for (let i = 0; i < 3; i++)
      assert.deepEqual((await client.query('SELECT $1::int AS n /* asked */', [1])).rows, [{ n: 1 }]);
    assert.equal(described, answers);
  }
});

test('behind a pooler a statement answers its new columns, though the pooler prepares it anew with them', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const { db, pool } = database;
  const client = await pool.connect();
  (client as unknown as PreparingClient).isDirect = false;
  client.release();
  await sql`CREATE TABLE grows_behind (a int)`.execute(db);
  await sql`INSERT INTO grows_behind VALUES (1)`.execute(db);
  const read = async () => (await sql`SELECT * FROM grows_behind WHERE a = ${1}`.execute(db)).rows;
  // Often enough to be prepared.
  for (let i = 0; i < 30; i++) assert.deepEqual(await read(), [{ a: 1 }]);
  await sql`ALTER TABLE grows_behind ADD COLUMN b text DEFAULT 'new'`.execute(db);
  // The session of another one, in which the pooler has prepared the statement under the same name.
  const { rows } = await sql<{ name: string; statement: string }>`
    SELECT name, statement FROM pg_prepared_statements WHERE statement LIKE 'SELECT * FROM grows_behind%'`.execute(
    db,
  );
  for (const { name, statement } of rows) {
    await sql.raw(`DEALLOCATE ${name}`).execute(db);
    await sql.raw(`PREPARE ${name} AS ${statement}`).execute(db);
  }
  assert.equal(rows.length, 1);
  assert.deepEqual(await read(), [{ a: 1, b: 'new' }]);
});

test('a transaction whose session has lost its prepared statements says so, and the next one gets another', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const { db } = database;
  const askTwice = () =>
    inTransaction(db, (tx) => Promise.all([ask(tx, 1), ask(tx, 2)]), { keepPlans: true });
  // Begin and commit are prepared too.
  for (let i = 0; i < 20; i++) await askTwice();
  await sql`DEALLOCATE ALL`.execute(db);
  await assert.rejects(askTwice(), { code: '26000' });
  assert.deepEqual(
    (await askTwice()).map(({ rows }) => rows),
    [[{ n: 1 }], [{ n: 2 }]],
  );
});

test('when a connection is cut, every statement behind it fails, and the next transaction gets another', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  let settled: PromiseSettledResult<unknown>[] = [];
  const attempt = inTransaction(database.db, async (tx) => {
    const cut = sql`SELECT pg_terminate_backend(pg_backend_pid(), ${0}::bigint)`.execute(tx);
    settled = await Promise.allSettled([ask(tx, 1), cut, ask(tx, 3), ask(tx, 4)]);
  });
  await assert.rejects(attempt);
  assert.deepEqual(
    settled.slice(1).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  const { rows } = await inTransaction(database.db, (tx) => ask(tx, 5));
  assert.deepEqual(rows, [{ n: 5 }]);
});
