import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { DAY_MS } from '#src/domain/durations.ts';
import { silent } from '#test/harness/cluster.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { maintainPartitions, makePartition, type Partitioned, spanOf } from './partitions.ts';
import { openPool } from './pool.ts';

const OUTBOX: Partitioned = { table: 'outbox', span: 'day', keepDays: 30 };

test('servers that drop the same old partitions at once do not conflict', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  const now = new Date();
  for (let days = 40; days < 50; days++)
    await makePartition(db, OUTBOX, new Date(now.getTime() - days * DAY_MS));
  await Promise.all([1, 2, 3].map(() => maintainPartitions(db, [OUTBOX], now)));
  const today = spanOf(now, 'day').suffix;
  // The database may have been created yesterday.
  const { rows } = await sql`
    SELECT FROM pg_class WHERE relkind = 'r' AND relname ~ '^outbox_[0-9]+$' AND right(relname, 8) >= ${today}`.execute(
    db,
  );
  assert.equal(rows.length, 4, 'today and what is made ahead');
  const old = spanOf(new Date(now.getTime() - 40 * DAY_MS), 'day').suffix;
  const left = await sql`
    SELECT FROM pg_class WHERE relkind = 'r' AND relname ~ '^outbox_[0-9]+$' AND right(relname, 8) <= ${old}`.execute(
    db,
  );
  assert.equal(left.rows.length, 0, 'the old ones are gone');
});

test('a partition that was detached by a process which then ended is dropped by the next', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  const now = new Date();
  const [old, recent] = [40, 20].map((days) => new Date(now.getTime() - days * DAY_MS)) as [Date, Date];
  for (const at of [old, recent]) {
    await makePartition(db, OUTBOX, at);
    const name = `outbox_${spanOf(at, 'day').suffix}`;
    await sql`ALTER TABLE outbox DETACH PARTITION ${sql.table(name)}`.execute(db);
  }
  await maintainPartitions(db, [OUTBOX], now);
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname ~ '^outbox_[0-9]+$' AND NOT relispartition`.execute(
    db,
  );
  assert.deepEqual(rows, [{ name: `outbox_${spanOf(recent, 'day').suffix}` }], 'only what is old is dropped');
});

test('a partition that somebody reads for long, such as pg_dump, is dropped another time, and holds up no other', async () => {
  await using database = await freshDatabase();
  const impatient = openPool({
    url: database.url,
    log: silent,
    limits: { statementMs: 1_000, connectMs: 5_000 },
  });
  const activity: Partitioned = { table: 'activity', span: 'month', keepDays: 30 };
  const now = new Date();
  const old = new Date(now.getTime() - 100 * DAY_MS);
  const reader = await database.pool.connect();
  const left = async () => {
    const { rows } = await sql<{ name: string }>`
      SELECT relname AS name FROM pg_class WHERE relname IN (${`outbox_${spanOf(old, 'day').suffix}`},
        ${`activity_${spanOf(old, 'month').suffix}`})`.execute(database.db);
    return rows.map(({ name }) => name.split('_')[0]);
  };
  try {
    await makePartition(database.db, OUTBOX, old);
    await makePartition(database.db, activity, old);
    await maintainPartitions(database.db, [{ ...OUTBOX, keepDays: 200 }], now);
    await reader.query('BEGIN');
    await reader.query('SELECT FROM outbox LIMIT 1');
    await maintainPartitions(impatient.db, [OUTBOX, activity], now);
    assert.deepEqual(await left(), ['outbox']);
    await reader.query('COMMIT');
    await maintainPartitions(impatient.db, [OUTBOX, activity], now);
    assert.deepEqual(await left(), []);
  } finally {
    reader.release(true);
    await impatient.close();
  }
});
