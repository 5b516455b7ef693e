import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyPage } from './every-page.ts';

test('a list is read until a page is not full, each page after the last row of the one before', async () => {
  const all = Array.from({ length: 2_500 }, (_, id) => String(id));
  const asked: (string | undefined)[] = [];
  const arrived: number[] = [];
  const rows = await everyPage(
    async ({ limit, before }) => {
      asked.push(before);
      const from = before === undefined ? 0 : all.indexOf(before) + 1;
      return all.slice(from, from + limit);
    },
    (id) => id,
    (some) => arrived.push(some.length),
  );
  assert.deepEqual(rows, all);
  assert.deepEqual(arrived, [1_000, 2_000]);
  assert.deepEqual(asked, [undefined, '999', '1999']);
});
