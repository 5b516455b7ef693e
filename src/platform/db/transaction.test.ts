import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { sql } from 'kysely';
import { freshDatabase } from '#test/harness/database.ts';
import { afterCommit, type Database, runWork, SYSTEM, sendUnawaited, type Work } from '../work.ts';
import { pipelined } from './pipelined.ts';
import { inTransaction, type TransactionOptions, type Tx } from './transaction.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

test('a transaction’s writes persist, and statements issued together ran in order', async () => {
  await using database = await freshDatabase();
  const seen = await inTransaction(database.db, async (tx) => {
    const [, counted] = await Promise.all([
      sql`INSERT INTO regions (slug, name, created_at) VALUES ('a', 'A', ${NOW})`.execute(tx),
      sql<{ n: number }>`SELECT count(*)::int AS n FROM regions WHERE no > 0`.execute(tx),
      sql`INSERT INTO regions (slug, name, created_at) VALUES ('b', 'B', ${NOW})`.execute(tx),
    ]);
    return counted.rows[0]?.n;
  });
  assert.equal(seen, 1);
  const { rows } = await sql<{ slug: string }>`SELECT slug FROM regions WHERE no > 0 ORDER BY slug`.execute(
    database.db,
  );
  assert.deepEqual(
    rows.map((row) => row.slug),
    ['a', 'b'],
  );
});

test('pipelined statements run in order, and answer in order', async () => {
  await using database = await freshDatabase();
  const count = (tx: Tx) => async () => {
    const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM regions WHERE no > 0`.execute(
      tx,
    );
    return rows[0]?.n;
  };
  const insert = (tx: Tx, slug: string) => async () => {
    await sql`INSERT INTO regions (slug, name, created_at) VALUES (${slug}, ${slug}, ${NOW})`.execute(tx);
    return slug;
  };
  const seen = await inTransaction(database.db, (tx) =>
    pipelined(
      count(tx),
      insert(tx, 'a'),
      count(tx),
      // A builder's statement keeps its place among the others.
      () =>
        tx
          .deleteFrom('regions')
          .where('slug', '=', 'a')
          .execute()
          .then((deleted) => deleted.length),
      count(tx),
      insert(tx, 'b'),
      insert(tx, 'c'),
      count(tx),
    ),
  );
  assert.deepEqual(seen, [0, 'a', 1, 1, 0, 'b', 'c', 2]);
});

test('the first error of pipelined statements is thrown, even one from before anything was issued', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const attempt = inTransaction(database.db, (tx) =>
    pipelined(
      () => sql`SELECT 1 / 0`.execute(tx),
      () => {
        throw new Error('not issued');
      },
      () => sql`SELECT 1`.execute(tx),
    ),
  );
  await assert.rejects(attempt, /not issued/);
  const { rows } = await sql<{ n: number }>`SELECT 1 AS n`.execute(database.db);
  assert.deepEqual(rows, [{ n: 1 }]);
});

test('statements are sent in the order in which they are issued, even later ones', async () => {
  await using database = await freshDatabase();
  const seen = await inTransaction(database.db, async (tx) => {
    const insert = sql`INSERT INTO regions (slug, name, created_at) VALUES ('a', 'A', ${NOW})`.execute(tx);
    await Promise.resolve();
    const count = sql<{ n: number }>`SELECT count(*)::int AS n FROM regions WHERE no > 0`.execute(tx);
    const [, { rows }] = await Promise.all([insert, count]);
    return rows[0]?.n;
  });
  assert.equal(seen, 1);
});

test('statements issued together are written to the connection at once', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const client = await database.pool.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const writes = countWrites(stream);
  client.release();
  const answers = await inTransaction(database.db, (tx) =>
    Promise.all([1, 2, 3, 4].map((n) => sql<{ n: number }>`SELECT ${n}::int AS n`.execute(tx))),
  );
  assert.deepEqual(
    answers.map(({ rows }) => rows[0]?.n),
    [1, 2, 3, 4],
  );
  // Begin and commit are among them.
  assert.equal(writes.count, 2);
});

/** Counts what is written to a connection from now on. */
function countWrites(stream: Socket): { count: number } {
  const writes = { count: 0 };
  for (const way of ['_write', '_writev'] as const) {
    const write = stream[way]?.bind(stream) as (...given: unknown[]) => void;
    Object.assign(stream, { [way]: (...given: unknown[]) => [writes.count++, write(...given)] });
  }
  return writes;
}

test('if one of several statements fails, none takes effect, including later ones', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const attempt = inTransaction(database.db, (tx) =>
    Promise.all([
      sql`INSERT INTO regions (slug, name, created_at) VALUES ('a', 'A', ${NOW})`.execute(tx),
      sql`SELECT 1 / 0`.execute(tx),
      sql`INSERT INTO regions (slug, name, created_at) VALUES ('b', 'B', ${NOW})`.execute(tx),
    ]),
  );
  await assert.rejects(attempt, { code: '22012' });
  const { rows } = await sql`SELECT slug FROM regions WHERE no > 0`.execute(database.db);
  assert.deepEqual(rows, []);
});

test('the commit is sent with the last statements; if one of them fails, none takes effect and its error is thrown', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const { db } = database;
  const committed: string[] = [];
  const insert = (slug: string, name: unknown) =>
    sql`INSERT INTO regions (slug, name, created_at) VALUES (${slug}, ${name}, ${NOW})`;
  const work = (slug: string, last: unknown) =>
    runWork(db, NOW, SYSTEM, async (unit) => {
      await insert(slug, 'first').execute(unit.tx);
      sendUnawaited(
        unit,
        insert(`${slug}-last`, last),
        null,
        unit.tx.updateTable('regions').set({ name: slug }),
      );
      afterCommit(unit, () => committed.push(slug));
    });
  // Begin and commit are frequent: they share the Sync of the statements beside them.
  for (let i = 0; i < 20; i++) await inTransaction(db, (tx) => sql`SELECT ${i}::int`.execute(tx));
  const client = await database.pool.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const writes = countWrites(stream);
  client.release();
  await work('a', 'A');
  // Begin with the first statement, and the commit with the last.
  assert.equal(writes.count, 2);
  await assert.rejects(work('b', null), { code: '23502' });
  await work('c', 'C');
  assert.deepEqual(committed, ['a', 'c']);
  const { rows } = await sql<{ slug: string; name: string }>`
    SELECT slug, name FROM regions WHERE no > 0 ORDER BY slug`.execute(db);
  assert.deepEqual(rows, [
    { slug: 'a', name: 'c' },
    { slug: 'a-last', name: 'c' },
    { slug: 'c', name: 'c' },
    { slug: 'c-last', name: 'c' },
  ]);
});

test('the error of a failed statement that nobody awaited is thrown, and not that of the next one', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const attempt = inTransaction(database.db, async (tx) => {
    sql`SELECT 1 / 0`.execute(tx).catch(() => undefined);
    await sql`SELECT 1`.execute(tx);
  });
  await assert.rejects(attempt, /division by zero/);
});

test('a failed statement that nobody awaited still prevents the commit', async () => {
  await using database = await freshDatabase();
  const attempt = inTransaction(database.db, async (tx) => {
    void sql`SELECT 1 / 0`.execute(tx).catch(() => {});
    await Promise.resolve();
    return 'done';
  });
  await assert.rejects(attempt, { code: '22012' });
});

const circular: { self?: unknown } = {};
circular.self = circular;
const unsendable = sql`INSERT INTO regions (slug, name, created_at) VALUES ('b', ${circular}::jsonb, ${NOW})`;
const unreadable = sql`SELECT ${'9223372036854775807'}::bigint AS n`;

for (const [what, fail] of [
  ['cannot be sent, and the work has gone on,', ({ tx }) => unsendable.execute(tx).catch(() => undefined)],
  ['cannot be sent, and nobody awaited it,', async (work) => sendUnawaited(work, unsendable)],
  ['cannot be read, and the work has gone on,', ({ tx }) => unreadable.execute(tx).catch(() => undefined)],
] as [string, (work: Work) => Promise<unknown>][])
  for (const often of [false, true])
    test(`if what PostgreSQL knows nothing of fails, nothing takes effect: a statement ${what} ${often ? 'prepared' : 'at first'}`, async () => {
      await using database = await freshDatabase({ poolSize: 1 });
      const { db } = database;
      const insert = sql`INSERT INTO regions (slug, name, created_at) VALUES ('a', 'A', ${NOW})`;
      const attempt = runWork(
        db,
        NOW,
        SYSTEM,
        async (work) => {
          sendUnawaited(work, insert);
          await fail(work);
        },
        { keepPlans: often },
      );
      await assert.rejects(attempt, /circular|bigint/);
      const { rows } = await sql`SELECT slug FROM regions WHERE no > 0`.execute(db);
      assert.deepEqual(rows, []);
    });

test('a commit right behind a statement that cannot be sent is not sent either', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const { db } = database;
  for (const keepPlans of [false, true]) {
    const attempt = inTransaction(
      db,
      (tx) => {
        for (const unawaited of [
          sql`INSERT INTO regions (slug, name, created_at) VALUES ('a', 'A', ${NOW})`.execute(tx),
          unsendable.execute(tx),
        ])
          unawaited.catch(() => undefined);
        return Promise.resolve('done');
      },
      { keepPlans },
    );
    await assert.rejects(attempt, /circular/);
  }
  const { rows } = await sql`SELECT slug FROM regions WHERE no > 0`.execute(db);
  assert.deepEqual(rows, []);
});

test('if a transaction cannot begin, nothing that the work tries takes effect', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const { db } = database;
  // Begin is frequent, and prepared.
  for (let i = 0; i < 20; i++) await inTransaction(db, (tx) => sql`SELECT ${i}::int`.execute(tx));
  await sql`DEALLOCATE ALL`.execute(db);
  const attempt = inTransaction(db, async (tx) => {
    for (const slug of ['a', 'b', 'c'])
      await sql`INSERT INTO regions (slug, name, created_at) VALUES (${slug}, 'Region', ${NOW})`
        .execute(tx)
        .catch(() => undefined);
  });
  await assert.rejects(attempt, { code: '26000' });
  const { rows } = await sql`SELECT slug FROM regions WHERE no > 0`.execute(db);
  assert.deepEqual(rows, []);
});

test('an error of the work itself rolls back and releases the connection', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const attempt = inTransaction(database.db, async (tx) => {
    await sql`INSERT INTO regions (slug, name, created_at) VALUES ('a', 'A', ${NOW})`.execute(tx);
    throw new Error('changed my mind');
  });
  await assert.rejects(attempt, /changed my mind/);
  const { rows } = await sql`SELECT slug FROM regions WHERE no > 0`.execute(database.db);
  assert.deepEqual(rows, []);
});

test('a repeated statement is prepared, and gives the same answer', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  for (let n = 0; n < 60; n++) {
    const { rows } = await sql<{ twice: number }>`SELECT ${n}::int * 2 AS twice /* often */`.execute(
      database.db,
    );
    assert.equal(rows[0]?.twice, n * 2);
  }
  const { rows } = await sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements`.execute(
    database.db,
  );
  assert.ok(rows.some((row) => row.statement.includes('/* often */')));
});

test('with kept plans a statement is prepared at first use and planned once for all parameters, in that transaction only', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const { db } = database;
  const twice = async (tx: Tx, n: number) => {
    const { rows } = await sql<{ twice: number }>`SELECT ${n}::int * 2 AS twice /* kept */`.execute(tx);
    return rows[0]?.twice;
  };
  for (const n of [1, 2, 3])
    assert.equal(await inTransaction(db, (tx) => twice(tx, n), { keepPlans: true }), 2 * n);
  const { rows } = await sql<{ generic: number; custom: number }>`
    SELECT generic_plans AS generic, custom_plans AS custom FROM pg_prepared_statements
    WHERE statement LIKE '%/* kept */'`.execute(db);
  assert.deepEqual(rows, [{ generic: 3, custom: 0 }]);
  const settings = async (options: TransactionOptions) =>
    inTransaction(
      db,
      async (tx) => {
        const read = await sql<{ plans: string; scans: string; commit: string }>`
          SELECT current_setting('plan_cache_mode') AS plans, current_setting('enable_seqscan') AS scans,
            current_setting('synchronous_commit') AS commit`.execute(tx);
        return read.rows[0];
      },
      options,
    );
  const usual = { plans: 'auto', scans: 'on', commit: 'on' };
  // Off throughout in tests.
  await sql`SET synchronous_commit = on`.execute(db);
  assert.deepEqual(await settings({ keepPlans: true, durable: false }), {
    plans: 'force_generic_plan',
    scans: 'off',
    commit: 'off',
  });
  assert.deepEqual(await settings({}), usual);
});

test('a prepared statement that returns every column survives a new column', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const { db } = database;
  await sql`CREATE TABLE things (no int)`.execute(db);
  await sql`INSERT INTO things VALUES (1)`.execute(db);
  const read = async (tx: Database | Tx) => {
    const { rows } = await sql`SELECT * FROM things WHERE no = ${1}`.execute(tx);
    return rows;
  };
  const inWork = () => runWork(db, NOW, SYSTEM, ({ tx }) => read(tx), { keepPlans: true });
  assert.deepEqual([await inWork(), await read(db)], [[{ no: 1 }], [{ no: 1 }]]);
  await sql`ALTER TABLE things ADD COLUMN more int`.execute(db);
  assert.deepEqual(await inWork(), [{ no: 1, more: null }]);
  assert.deepEqual(await read(db), [{ no: 1, more: null }]);
  await sql`ALTER TABLE things ADD COLUMN most int`.execute(db);
  assert.deepEqual(await read(db), [{ no: 1, more: null, most: null }]);
  assert.deepEqual(await inWork(), [{ no: 1, more: null, most: null }]);
});

test('a unit of work with many statements that return every column survives new columns in all of their tables', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const { db } = database;
  const tables = ['t1', 't2', 't3', 't4', 't5', 't6'].map((name) => sql.table(name));
  for (const table of tables) {
    await sql`CREATE TABLE ${table} (no int)`.execute(db);
    await sql`INSERT INTO ${table} VALUES (1)`.execute(db);
  }
  const read = () =>
    runWork(
      db,
      NOW,
      SYSTEM,
      async ({ tx }) => {
        const all = tables.map((table) => sql`SELECT * FROM ${table} WHERE no = ${1}`.execute(tx));
        return (await Promise.all(all)).map(({ rows }) => rows[0]);
      },
      { keepPlans: true },
    );
  assert.deepEqual(await read(), Array(6).fill({ no: 1 }));
  for (const table of tables) await sql`ALTER TABLE ${table} ADD COLUMN more int`.execute(db);
  assert.deepEqual(await read(), Array(6).fill({ no: 1, more: null }));
});

test('two units of work that deadlock both complete', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  await sql`INSERT INTO regions (slug, name, created_at) VALUES ('a', 'A', ${NOW}), ('b', 'B', ${NOW})`.execute(
    db,
  );
  const bump = (first: string, second: string, met: Promise<void>, arrive: () => void) =>
    runWork(db, NOW, SYSTEM, async ({ tx }) => {
      await sql`UPDATE regions SET revision = revision + 1 WHERE slug = ${first}`.execute(tx);
      arrive();
      await met;
      await sql`UPDATE regions SET revision = revision + 1 WHERE slug = ${second}`.execute(tx);
    });
  const left = Promise.withResolvers<void>();
  const right = Promise.withResolvers<void>();
  await Promise.all([
    bump('a', 'b', right.promise, left.resolve),
    bump('b', 'a', left.promise, right.resolve),
  ]);
  const { rows } = await sql<{ revision: number }>`SELECT revision FROM regions WHERE no > 0`.execute(db);
  assert.deepEqual(
    rows.map((row) => row.revision),
    [2, 2],
  );
});
