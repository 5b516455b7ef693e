import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { freshDatabase } from '#test/harness/database.ts';
import { DAY_MS } from '../domain/durations.ts';
import type { Database } from '../platform/work.ts';
import { keepPartitions } from './job-auditor.ts';

/** The days of which events for targets are kept, for 30 days. */
async function daysKept(db: Database): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    SELECT right(relname, 8) AS day FROM pg_class WHERE relkind = 'r' AND relname ~ '^outbox_[0-9]+$' ORDER BY 1`.execute(
    db,
  );
  return rows.map(({ day }) => day);
}

test('after a jump of the clock nothing is dropped for a day, so a wrong clock costs no data', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  const now = new Date();
  await keepPartitions(db, now);
  const before = await daysKept(db);
  const later = new Date(now.getTime() + 400 * DAY_MS);
  await keepPartitions(db, later);
  await keepPartitions(db, new Date(later.getTime() + 60_000));
  const jumped = await daysKept(db);
  assert.deepEqual(jumped.slice(0, before.length), before, 'kept');
  assert.ok(jumped.length > before.length, 'and the days to come are made');

  await keepPartitions(db, new Date(later.getTime() + DAY_MS));
  const first = later.toISOString().slice(0, 10).replaceAll('-', '');
  assert.ok(
    (await daysKept(db)).every((day) => day >= first),
    'a day later the old ones expire',
  );
});
