import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { emptyDatabase } from '#test/harness/database.ts';
import { tcpServer } from '#test/harness/listeners.ts';
import { migrationsFolder } from '#test/harness/migrations-folder.ts';
import { createLog } from '../log.ts';
import { migrate, needsOf, readMigrations } from './migrate.ts';

const silent = createLog('silent');

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('files are applied once, in order, and a second run finds nothing to do', async () => {
  await using database = await emptyDatabase();
  await using files = await migrationsFolder({
    '0001_first.sql': 'CREATE TABLE first (id int); INSERT INTO first VALUES (1);',
    '0002_second.sql': 'ALTER TABLE first ADD COLUMN name text;',
  });
  assert.deepEqual(await migrate(database.url, silent, { dir: files.path }), [
    '0001_first.sql',
    '0002_second.sql',
  ]);
  assert.deepEqual(await migrate(database.url, silent, { dir: files.path }), []);
  assert.deepEqual(await ask(database.url, 'SELECT id, name FROM first'), [{ id: 1, name: null }]);
});

test('concurrent starters apply every file once between them', async () => {
  await using database = await emptyDatabase();
  await using files = await migrationsFolder({
    '0001_first.sql': 'CREATE TABLE first (id int)',
    '0002_b.sql': 'SELECT 1',
  });
  const runs = await Promise.all(
    Array.from({ length: 4 }, () => migrate(database.url, silent, { dir: files.path })),
  );
  assert.deepEqual(runs.flat().sort(), ['0001_first.sql', '0002_b.sql']);
});

test('a failed upgrade leaves everything as it was: the old version continues, and once the cause is removed so does the new one', async () => {
  await using database = await emptyDatabase();
  await using before = await migrationsFolder({ '0001_base.sql': 'CREATE TABLE base (id int)' });
  await migrate(database.url, silent, { dir: before.path });
  await using files = await migrationsFolder({
    '0001_base.sql': 'CREATE TABLE base (id int)',
    '0002_good.sql': 'CREATE TABLE good (id int); ALTER TABLE base ADD COLUMN name text',
    '0003_bad.sql': 'CREATE TABLE half (id int);\nCREATE TABEL other (id int);',
  });
  await assert.rejects(
    migrate(database.url, silent, { dir: files.path }),
    /0003_bad\.sql failed and was rolled back: .*"TABEL" \(line 2\)\. Nothing was changed: .*version that you had/,
  );
  const columns = await ask(
    database.url,
    `SELECT attrelid::regclass::text AS of, attname AS name FROM pg_attribute
     WHERE attrelid IN (to_regclass('base'), to_regclass('good'), to_regclass('half')) AND attnum > 0`,
  );
  assert.deepEqual(columns, [{ of: 'base', name: 'id' }]);
  assert.deepEqual(await migrate(database.url, silent, { dir: before.path }), []);
  await files.add('0003_bad.sql', 'CREATE TABLE half (id int)');
  assert.deepEqual(await migrate(database.url, silent, { dir: files.path }), [
    '0002_good.sql',
    '0003_bad.sql',
  ]);
});

test('the hook before migrations runs if an existing database has pending ones, and may prevent them', async () => {
  await using database = await emptyDatabase();
  await using files = await migrationsFolder({ '0001_first.sql': 'CREATE TABLE first (id int)' });
  const seen: string[] = [];
  const options = {
    dir: files.path,
    before: async ({ from }: { from: { name: string } }) => void seen.push(from.name),
  };
  await migrate(database.url, silent, options);
  await migrate(database.url, silent, options);
  assert.deepEqual(seen, [], 'new, then up to date');
  await files.add('0002_second.sql', 'DROP TABLE first');
  const refusal = migrate(database.url, silent, {
    ...options,
    before: () => Promise.reject(new Error('no room')),
  });
  await assert.rejects(refusal, /^Error: no room$/);
  assert.deepEqual(await ask(database.url, 'SELECT id FROM first'), []);
  await migrate(database.url, silent, options);
  assert.deepEqual(seen, ['0001_first.sql']);
});

test('a migration that waits for a lock lets others pass in between', async () => {
  await using database = await emptyDatabase();
  await using files = await migrationsFolder({
    '0001_first.sql': 'CREATE TABLE first (id int); CREATE TABLE other (id int)',
  });
  await migrate(database.url, silent, { dir: files.path });
  await files.add(
    '0002_both.sql',
    'ALTER TABLE other ADD COLUMN age int; ALTER TABLE first ADD COLUMN age int',
  );
  const reader = new pg.Client({ connectionString: database.url });
  await reader.connect();
  try {
    await reader.query('BEGIN; SELECT FROM first');
    const { promise: startsOver, resolve } = Promise.withResolvers<void>();
    const log = createLog('info', false, (line) => /start over/.test(line) && resolve());
    const migrating = migrate(database.url, log, { dir: files.path, lockWithinMs: 20 });
    await startsOver;
    assert.deepEqual(await ask(database.url, 'SELECT FROM other'), [], 'nobody waits');
    await reader.query('COMMIT');
    assert.deepEqual(await migrating, ['0002_both.sql']);
  } finally {
    await reader.end();
  }
});

test('a migration says since when nothing needs what it removes, and the ledger records it', async () => {
  const cases: [string, number | null][] = [
    ['SELECT 1', null],
    ['-- contracts', null],
    ['-- contracts: nothing reads it', null],
    ['-- contracts: since 0056', null],
    ['SELECT 1; -- contracts: since 0056 why', null],
    ['-- A theme.\n-- contracts: since 0056 nothing reads it\nSELECT 1', 56],
  ];
  for (const [sql, needs] of cases) assert.equal(needsOf(sql), needs, sql);
  await using database = await emptyDatabase();
  await using files = await migrationsFolder({
    '0001_a.sql': 'SELECT 1',
    '0002_b.sql': '-- contracts: since 0001 why\nSELECT 1',
  });
  await migrate(database.url, silent, { dir: files.path });
  assert.deepEqual(await ask(database.url, 'SELECT needs FROM schema_migrations ORDER BY version'), [
    { needs: null },
    { needs: 1 },
  ]);
});

test('an applied file that was changed is refused', async () => {
  await using database = await emptyDatabase();
  await using files = await migrationsFolder({ '0001_first.sql': 'SELECT 1' });
  await migrate(database.url, silent, { dir: files.path });
  await writeFile(join(files.path, '0001_first.sql'), 'SELECT 2');
  await assert.rejects(
    migrate(database.url, silent, { dir: files.path }),
    /0001_first\.sql was changed after/,
  );
});

test('a database newer than the code is refused', async () => {
  await using database = await emptyDatabase();
  await using files = await migrationsFolder({ '0001_first.sql': 'SELECT 1', '0002_later.sql': 'SELECT 1' });
  await migrate(database.url, silent, { dir: files.path });
  await rm(join(files.path, '0002_later.sql'));
  await assert.rejects(
    migrate(database.url, silent, { dir: files.path }),
    /migrated by a newer version.*0002_later\.sql/s,
  );
});

test('a gap in the numbers is refused', async () => {
  await using files = await migrationsFolder({ '0001_first.sql': '', '0003_third.sql': '' });
  await assert.rejects(readMigrations(files.path), /0003_third\.sql is out of line.*0002/s);
});

test('for a database that does not answer the error says so', async () => {
  const nobody = 'postgres://user:password@127.0.0.1:1/none';
  await assert.rejects(migrate(nobody, silent), (error: Error) => {
    assert.match(error.message, /does not answer: .*ECONNREFUSED.*DATABASE_URL/s);
    assert.doesNotMatch(error.message, /password@/);
    return true;
  });
});

test('a long migration is seen as running', async () => {
  await using database = await emptyDatabase();
  await using files = await migrationsFolder({ '0001_first.sql': 'CREATE TABLE first (id int)' });
  await migrate(database.url, silent, { dir: files.path });
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  try {
    await writeFile(join(files.path, '0002_long.sql'), 'ALTER TABLE first ADD COLUMN age int');
    await holder.query('BEGIN; LOCK TABLE first IN ACCESS EXCLUSIVE MODE');
    const { promise: seen, resolve } = Promise.withResolvers<void>();
    const migrating = migrate(database.url, silent, { dir: files.path, atWork: resolve, lookEveryMs: 50 });
    await seen;
    await holder.query('COMMIT');
    assert.deepEqual(await migrating, ['0002_long.sql']);
  } finally {
    await holder.end();
  }
});

test('for a database that never answers the error names its address, without user and password, within the time limit', async (t) => {
  const silently = await tcpServer(t, () => undefined);
  const url = `postgres://somebody:secret@127.0.0.1:${silently}/tocsin`;
  await assert.rejects(migrate(url, silent, { connectWithinMs: 200 }), (error: Error) => {
    assert.match(
      error.message,
      new RegExp(
        `^The database at 127\\.0\\.0\\.1:${silently} does not answer: .+ Check that PostgreSQL runs`,
      ),
    );
    assert.doesNotMatch(error.message, /somebody|secret/);
    return true;
  });
});
