import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryClient } from '#web/read.ts';
import { windowsOf } from './use-windows.ts';

test('the windows beyond the first thousand are read, too', async (t) => {
  const all = Array.from({ length: 1_001 }, (_, n) => ({ id: `mwn_${n}` }));
  t.mock.method(globalThis, 'fetch', async (path: string) => {
    const before = new URL(path, 'http://localhost').searchParams.get('before');
    const from = before === null ? 0 : all.findIndex(({ id }) => id === before) + 1;
    return Response.json(all.slice(from, from + 1_000));
  });
  t.after(() => queryClient.clear());
  const windows = await queryClient.fetchQuery(windowsOf('org_1'));
  assert.deepEqual(
    windows.map(({ id }) => id),
    all.map(({ id }) => id),
  );
});
