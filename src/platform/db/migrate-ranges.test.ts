// Migration 0035 over tables as 0034 left them: single spans of 10 minutes become ranges.
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { emptyDatabase, freshDatabase } from '#test/harness/database.ts';
import { createLog } from '../log.ts';
import { MIGRATIONS_DIR, migrate, readMigrations } from './migrate.ts';

const silent = createLog('silent');

/** A database with the schema of version `last`. */
async function databaseAt(t: TestContext, last: number) {
  const database = await emptyDatabase();
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-migrations-'));
  for (const { name, version } of await readMigrations(MIGRATIONS_DIR))
    if (version <= last) await cp(join(MIGRATIONS_DIR, name), join(dir, name));
  await migrate(database.url, silent, { dir });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  t.after(async () => {
    await client.end();
    await database[Symbol.asyncDispose]();
    await rm(dir, { recursive: true, force: true });
  });
  return { url: database.url, client };
}

const rangesOf = async (client: pg.Client, where = 'true') =>
  (
    await client.query<{ monitor_no: number; since: string; until: string }>(
      `SELECT monitor_no, to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS since,
        to_char(until AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS until
      FROM rollup_dirty WHERE ${where} ORDER BY monitor_no, since`,
    )
  ).rows;

test('an upgrade converts pending roll-ups into one range per monitor, and later ones follow it', async (t) => {
  const { url, client } = await databaseAt(t, 34);
  // One span; neighbours; far apart; the same one many times; out of order; over the change of a year and of an hour.
  await client.query(`
    INSERT INTO rollup_dirty (monitor_no, span) VALUES
      (1, '2026-01-01 00:00Z'),
      (2, '2026-01-01 00:10Z'), (2, '2026-01-01 00:00Z'),
      (3, '2025-01-01 00:00Z'), (3, '2026-01-01 00:00Z'),
      (4, '2026-03-29 00:50Z'), (4, '2026-03-29 01:00Z'),
      (5, '2025-12-31 23:50Z'), (5, '2025-12-31 23:50Z'), (5, '2025-12-31 23:50Z')`);
  await client.query(`
    INSERT INTO rollup_dirty (monitor_no, span)
    SELECT 100 + m, timestamptz '2026-01-01 00:00Z' + s * interval '10 minutes'
    FROM generate_series(1, 200) AS m, generate_series(0, 143) AS s ORDER BY random()`);

  await migrate(url, silent);

  assert.deepEqual(await rangesOf(client, 'monitor_no < 100'), [
    { monitor_no: 1, since: '2026-01-01 00:00', until: '2026-01-01 00:10' },
    { monitor_no: 2, since: '2026-01-01 00:00', until: '2026-01-01 00:20' },
    { monitor_no: 3, since: '2025-01-01 00:00', until: '2026-01-01 00:10' },
    { monitor_no: 4, since: '2026-03-29 00:50', until: '2026-03-29 01:10' },
    { monitor_no: 5, since: '2025-12-31 23:50', until: '2026-01-01 00:00' },
  ]);
  const many = await rangesOf(client, 'monitor_no >= 100');
  assert.equal(many.length, 200);
  assert.deepEqual(
    new Set(many.map(({ since, until }) => `${since} ${until}`)),
    new Set(['2026-01-01 00:00 2026-01-02 00:00']),
  );

  // Later entries are merged with the migrated ones.
  await client.query(
    `SELECT note_changed(ARRAY[1, 6], ARRAY['2026-01-01 00:10Z', '2026-01-01 00:03Z']::timestamptz[],
      ARRAY['2026-01-01 00:15Z', '2026-01-01 00:04Z']::timestamptz[], '2026-02-01Z')`,
  );
  assert.deepEqual(await rangesOf(client, 'monitor_no IN (1, 6)'), [
    { monitor_no: 1, since: '2026-01-01 00:00', until: '2026-01-01 00:20' },
    { monitor_no: 6, since: '2026-01-01 00:00', until: '2026-01-01 00:10' },
  ]);
});

test('an upgrade without pending roll-ups leaves nothing to do', async (t) => {
  const { url, client } = await databaseAt(t, 34);
  await migrate(url, silent);
  assert.deepEqual(await rangesOf(client), []);
});

test('adding to thousands of ranges of a monitor does not copy them each time', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const rows = async (text: string) => (await database.pool.query(text)).rows;
  await rows(`INSERT INTO rollup_dirty (monitor_no, since, until)
    SELECT 1, hour, hour + interval '10 minutes'
    FROM generate_series(timestamptz '2026-01-01Z', '2026-03-01Z', interval '1 hour') AS hour`);
  await rows(
    `SELECT note_changed('{1}', '{2026-01-10Z}'::timestamptz[], '{2026-01-20Z}'::timestamptz[], '2026-03-02Z')`,
  );
  const [{ days }] = await rows('SELECT max(extract(day FROM until - since))::int AS days FROM rollup_dirty');
  assert.equal(days, 10, 'it was noted');
  await rows('SELECT pg_stat_force_next_flush()');
  const [{ temp_bytes }] = await rows(
    'SELECT temp_bytes FROM pg_stat_database WHERE datname = current_database()',
  );
  assert.equal(temp_bytes, 0);
});
