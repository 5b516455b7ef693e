import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityQuery, readActivitySearch } from './search.ts';

const at = (year: number, month: number, day: number) => new Date(year, month - 1, day).getTime() / 1_000;

test('only known filters of an address are kept', () => {
  assert.deepEqual(
    readActivitySearch({ by: 'robot', range: 'week', from: '1.2.2026', action: '', other: 1 }),
    {
      range: 'week',
    },
  );
});

test('a range ends now, and the other filters have the server’s names', () => {
  assert.deepEqual(
    activityQuery({ by: 'key', action: 'monitor', range: 'day', resource: 'mon_1' }, 1_000_000),
    {
      actor_kind: 'key',
      action: 'monitor',
      resource_id: 'mon_1',
      from_unix: 913_600,
    },
  );
});

test('chosen days are whole days of the reader, the last one included', () => {
  const search = { range: 'between', from: '2026-02-27', to: '2026-02-28' } as const;
  assert.deepEqual(activityQuery(search, 0), { from_unix: at(2026, 2, 27), to_unix: at(2026, 3, 1) });
  assert.deepEqual(activityQuery({ ...search, range: 'week' }, 700_000), { from_unix: 95_200 });
});
