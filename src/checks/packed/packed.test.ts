// Blocks of checks: what is packed is read back as it was, bit by bit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { DAY_MS } from '#src/domain/durations.ts';
import { makePartition } from '#src/platform/db/partitions.ts';
import { inTransaction } from '#src/platform/db/transaction.ts';
import { CHECKS, PACKED_CHECKS } from '#src/retention.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { differences, differencesWithin, fillShapes } from '#test/harness/packed-shapes.ts';
import { Bits } from './bits.ts';
import { putColumn, type Value } from './column.ts';
import { packDayOf } from './pack-day.ts';

const DAY = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - 40 * DAY_MS);

test('a day of checks of every kind is unpacked exactly', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  for (const table of [CHECKS, PACKED_CHECKS]) await makePartition(db, table, DAY);
  const checks = await fillShapes(db, DAY, { from: 1, to: 42 });
  assert.ok(checks > 40_000);
  const packed = await inTransaction(db, (tx) => packDayOf(tx, DAY, sql`FROM checks c`));
  assert.equal(packed, checks);
  assert.equal(await differences(db, DAY), 0);
  await sql`UPDATE packing_state SET packed_until = ${DAY}::timestamptz + interval '1 day'`.execute(db);
  for (const [since, until, most] of [
    [0, 24, 2_000],
    [0, 24, 100],
    [7.31, 16.02, 37],
    [12, 12.4, 5],
    [23.5, 24, 1],
  ] as const)
    assert.deepEqual(
      [since, until, most, await differencesWithin(db, DAY, { since, until, most })],
      [since, until, most, { newest: 0, conclusive: 0, results: 0, instants: 0, spans: 0, speech: 0 }],
    );
  await sql`UPDATE packed_checks SET body = set_bit(body, 7, 0), checks = checks WHERE monitor_no = 1`.execute(
    db,
  );
  await assert.rejects(
    differences(db, DAY),
    /a block of checks is of version 0, which this schema does not know/,
  );
});

test('a column of any integers and nulls is unpacked exactly', async () => {
  await using database = await freshDatabase();
  const number = fc.oneof(
    fc.integer(),
    fc.integer({ min: -3, max: 3 }),
    fc.integer({ min: -(2 ** 51), max: 2 ** 51 }),
  );
  const columns = fc.array(
    fc.oneof(
      fc.array(fc.option(number), { minLength: 1, maxLength: 70 }),
      fc
        .tuple(number, fc.nat(90), fc.array(fc.option(number), { maxLength: 3 }))
        .map(([same, times, rare]): Value[] => [...new Array<number>(times + 1).fill(same), ...rare]),
    ),
    { minLength: 1, maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(columns, async (values) => {
      const bits = new Bits();
      for (const column of values) putColumn(bits, column);
      let at = 1;
      const text = bits.text();
      for (const column of values) {
        const { rows } = await sql<{ ends: number; vals: string | null }>`
          SELECT ends, vals::text FROM packed_column(${text}::varbit, ${at}::int, ${column.length}::int)`.execute(
          database.db,
        );
        const { ends = 0, vals } = rows[0] ?? {};
        const expected = column.every((value) => value === null)
          ? null
          : `{${column.map((value) => value ?? 'NULL').join()}}`;
        assert.equal(vals, expected);
        at = ends;
      }
    }),
    { numRuns: 20 },
  );
});
