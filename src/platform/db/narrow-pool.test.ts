import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshDatabase } from '#test/harness/database.ts';
import { narrowed } from './narrow-pool.ts';

test('any number of simultaneous statements share the few connections, and all are answered', async () => {
  await using database = await freshDatabase({ poolSize: 10 });
  const narrow = narrowed(database.pool, 2);
  const numbers = Array.from({ length: 20 }, (_, i) => i);
  const asked = numbers.map((i) => narrow.query('SELECT $1::int AS i, pg_sleep(0.005)', [i]));
  // One that fails gives its place back too.
  await assert.rejects(narrow.query('SELECT 1 / 0'), /division by zero/);
  const answers = await Promise.all(asked);
  assert.deepEqual(
    answers.map(({ rows }) => rows[0]?.i),
    numbers,
  );
  assert.ok(database.pool.totalCount <= 2);
});

test('a checked-out connection takes a slot until it is released', async () => {
  await using database = await freshDatabase({ poolSize: 10 });
  const narrow = narrowed(database.pool, 1);
  const kept = await narrow.connect();
  let isAnswered = false;
  const waits = narrow.query('SELECT 1').then(() => {
    isAnswered = true;
  });
  await database.pool.query('SELECT 1');
  assert.equal(isAnswered, false);
  kept.release();
  await waits;
});
