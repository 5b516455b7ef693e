import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { emptyDatabase } from '#test/harness/database.ts';
import { tcpServer } from '#test/harness/listeners.ts';
import { createLog } from '../log.ts';
import { migrate, readMigrations } from './migrate.ts';

const silent = createLog('silent');

async function folder(files: Record<string, string>): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'tocsin-migrations-'));
  for (const [name, sql] of Object.entries(files)) await writeFile(join(path, name), sql);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

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
  await using files = await folder({
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

test('starters that meet apply every file once between them', async () => {
  await using database = await emptyDatabase();
  await using files = await folder({
    '0001_first.sql': 'CREATE TABLE first (id int)',
    '0002_b.sql': 'SELECT 1',
  });
  const runs = await Promise.all(
    Array.from({ length: 4 }, () => migrate(database.url, silent, { dir: files.path })),
  );
  assert.deepEqual(runs.flat().sort(), ['0001_first.sql', '0002_b.sql']);
});

test('a file that fails is rolled back whole and named with its line', async () => {
  await using database = await emptyDatabase();
  await using files = await folder({
    '0001_good.sql': 'CREATE TABLE good (id int)',
    '0002_bad.sql': 'CREATE TABLE half (id int);\nCREATE TABEL other (id int);',
  });
  await assert.rejects(
    migrate(database.url, silent, { dir: files.path }),
    /0002_bad\.sql failed and was rolled back: .*line 2/,
  );
  const tables = await ask(database.url, "SELECT relname FROM pg_class WHERE relname IN ('good', 'half')");
  assert.deepEqual(tables, [{ relname: 'good' }]);
  await writeFile(join(files.path, '0002_bad.sql'), 'CREATE TABLE half (id int)');
  assert.deepEqual(await migrate(database.url, silent, { dir: files.path }), ['0002_bad.sql']);
});

test('an applied file that was changed is refused', async () => {
  await using database = await emptyDatabase();
  await using files = await folder({ '0001_first.sql': 'SELECT 1' });
  await migrate(database.url, silent, { dir: files.path });
  await writeFile(join(files.path, '0001_first.sql'), 'SELECT 2');
  await assert.rejects(
    migrate(database.url, silent, { dir: files.path }),
    /0001_first\.sql was changed after/,
  );
});

test('a database newer than the code is refused', async () => {
  await using database = await emptyDatabase();
  await using files = await folder({ '0001_first.sql': 'SELECT 1', '0002_later.sql': 'SELECT 1' });
  await migrate(database.url, silent, { dir: files.path });
  await rm(join(files.path, '0002_later.sql'));
  await assert.rejects(
    migrate(database.url, silent, { dir: files.path }),
    /migrated by a newer version.*0002_later\.sql/s,
  );
});

test('a gap in the numbers is refused', async () => {
  await using files = await folder({ '0001_first.sql': '', '0003_third.sql': '' });
  await assert.rejects(readMigrations(files.path), /0003_third\.sql is out of line.*0002/s);
});

test('a database that does not answer is told in a sentence', async () => {
  const nobody = 'postgres://user:password@127.0.0.1:1/none';
  await assert.rejects(migrate(nobody, silent), (error: Error) => {
    assert.match(error.message, /does not answer: .*ECONNREFUSED.*DATABASE_URL/s);
    assert.doesNotMatch(error.message, /password@/);
    return true;
  });
});

test('a migration that takes long is known to be at work', async () => {
  await using database = await emptyDatabase();
  await using files = await folder({ '0001_first.sql': 'CREATE TABLE first (id int)' });
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

test('a database that never answers is named by its address, without user and password, within the time limit', async (t) => {
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
