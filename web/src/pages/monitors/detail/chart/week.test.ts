import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysFrom, type Hour, levelOf, placeAfter, worstOf } from './week.ts';

const hours = Array.from({ length: 168 }, (_, i): Hour => {
  const known = { counted_seconds: 3600, downtime_seconds: 0, maintenance_seconds: 0 };
  return { weekday: Math.floor(i / 24) + 1, hour: i % 24, uptime_time_pct: 100, ...known };
});
const withPct = (place: number, pct: number | null) =>
  hours.map((hour, i) => (i === place ? { ...hour, uptime_time_pct: pct } : hour));

for (const [pct, level] of [
  [null, null],
  [100, 0],
  [99.9999, 1],
  [99.9, 1],
  [99.89, 2],
  [99, 2],
  [98.9, 3],
  [95, 3],
  [94.9, 4],
  [0, 4],
] as const)
  test(`an hour with an uptime of ${pct} % is of level ${level}`, () => {
    assert.equal(levelOf({ uptime_time_pct: pct }), level);
  });

for (const first of [1, 6, 7])
  test(`a week that starts with day ${first} has every hour once, day by day`, () => {
    const days = daysFrom(hours, first);
    assert.deepEqual(
      days.map((day) => day[0]?.weekday),
      Array.from({ length: 7 }, (_, i) => ((first - 1 + i) % 7) + 1),
    );
    for (const day of days)
      assert.deepEqual(
        day.map(({ hour }) => hour),
        Array.from({ length: 24 }, (_, i) => i),
      );
  });

test('the worst hour is named only if there was downtime', () => {
  assert.equal(worstOf(hours), null);
  assert.equal(worstOf(withPct(3, null)), null);
  assert.deepEqual([worstOf(withPct(30, 98))?.weekday, worstOf(withPct(30, 98))?.hour], [2, 6]);
});

for (const [key, row, column, found] of [
  ['ArrowLeft', 3, 0, [3, 0]],
  ['ArrowRight', 3, 22, [3, 23]],
  ['ArrowUp', 0, 5, [0, 5]],
  ['ArrowDown', 5, 5, [6, 5]],
  ['Home', 2, 5, [2, 0]],
  ['End', 2, 5, [2, 23]],
] as const)
  test(`${key} leads from ${row}, ${column} to ${found.join(', ')}`, () => {
    const place = placeAfter(key, { row, column });
    assert.deepEqual([place?.row, place?.column], found);
  });

test('other keys do not move', () => assert.equal(placeAfter('x', { row: 0, column: 0 }), null));
