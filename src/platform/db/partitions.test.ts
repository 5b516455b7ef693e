import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { DAY_MS } from '#src/domain/durations.ts';
import { PARTITIONED } from '#src/retention.ts';
import { silent } from '#test/harness/cluster.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { dropExpired, makePartition, type Partitioned, partitionOf, spanOf } from './partitions.ts';
import { openPool } from './pool.ts';

const OUTBOX: Partitioned = { table: 'outbox', span: 'day', keepDays: 30 };

test('servers that drop the same old partitions at once do not conflict', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  const now = new Date();
  for (let days = 40; days < 50; days++)
    await makePartition(db, OUTBOX, new Date(now.getTime() - days * DAY_MS));
  await Promise.all([1, 2, 3].map(() => dropExpired(db, [OUTBOX], now)));
  const today = spanOf(now, 'day').suffix;
  const { rows } = await sql`
    SELECT FROM pg_class WHERE relkind = 'r' AND relname ~ '^outbox_[0-9]+$' AND right(relname, 8) >= ${today}`.execute(
    db,
  );
  assert.ok(rows.length > 0, 'today is kept');
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
  await dropExpired(db, [OUTBOX], now);
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
    await dropExpired(database.db, [{ ...OUTBOX, keepDays: 200 }], now);
    await reader.query('BEGIN');
    await reader.query('SELECT FROM outbox LIMIT 1');
    await dropExpired(impatient.db, [OUTBOX, activity], now);
    assert.deepEqual(await left(), ['outbox']);
    await reader.query('COMMIT');
    await dropExpired(impatient.db, [OUTBOX, activity], now);
    assert.deepEqual(await left(), []);
  } finally {
    reader.release(true);
    await impatient.close();
  }
});

test('a missing partition is made while somebody reads its table for long, and a server starts', async () => {
  await using database = await freshDatabase();
  const impatient = openPool({
    url: database.url,
    log: silent,
    limits: { statementMs: 1_000, connectMs: 5_000 },
  });
  const at = new Date(Date.now() + 40 * DAY_MS);
  const reader = await database.pool.connect();
  try {
    await reader.query('BEGIN');
    for (const { table } of PARTITIONED) await reader.query(`SELECT FROM "${table}" LIMIT 1`);
    for (const partitioned of PARTITIONED) await makePartition(impatient.db, partitioned, at);
    const { rows } = await sql<{ name: string }>`
      SELECT relname AS name FROM pg_class WHERE relispartition AND relkind = 'r'`.execute(database.db);
    const made = new Set(rows.map(({ name }) => name));
    assert.deepEqual(
      PARTITIONED.filter((partitioned) => !made.has(partitionOf(partitioned, at).name)),
      [],
    );
  } finally {
    reader.release(true);
    await impatient.close();
  }
});

test('a partition that is attached is like one that is created in place', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  const [attached, inPlace] = [400, 800].map((days) => new Date(Date.now() + days * DAY_MS)) as [Date, Date];
  /** What it consists of, without its own name. */
  const partsOf = async (name: string) => {
    const { rows } = await sql<{ part: string }>`
      SELECT concat_ws(' ', 'column', attname, format_type(atttypid, atttypmod), attnotnull, attstorage, attcompression,
        attgenerated, attidentity, (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = attrelid AND adnum = attnum))
        AS part FROM pg_attribute WHERE attrelid = ${name}::regclass AND attnum > 0
      UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = ${name}::regclass
      UNION ALL SELECT concat_ws(' ', contype, conislocal, coninhcount, pg_get_constraintdef(oid)) FROM pg_constraint WHERE conrelid = ${name}::regclass
      UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = ${name}::regclass AND NOT tgisinternal`.execute(
      db,
    );
    return rows.map(({ part }) => part.replaceAll(name, 'its_name')).sort();
  };
  for (const partitioned of PARTITIONED) {
    await makePartition(db, partitioned, attached);
    const { name, create } = partitionOf(partitioned, inPlace);
    await sql.raw(create).execute(db);
    assert.deepEqual(await partsOf(partitionOf(partitioned, attached).name), await partsOf(name));
  }
});
