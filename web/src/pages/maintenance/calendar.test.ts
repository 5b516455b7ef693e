import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import { inMonth, layOutWeek, readMonth, stepMonth, weeksOf, writeMonth } from './calendar.ts';

const at = (...parts: [number, number, number, number?]) =>
  Math.floor(new Date(parts[0], parts[1] - 1, parts[2], parts[3] ?? 0).getTime() / 1000);
const window = (id: string, scheduled_start: number, scheduled_end: number): MaintenanceWindow => ({
  id,
  title: id,
  body: '',
  scheduled_start,
  scheduled_end,
  public_visible: true,
  tags: [],
  cancelled: false,
  series_id: null,
  repeat: null,
  monitors: [],
});

test('a month consists of whole weeks that start on the reader’s first day', () => {
  for (const [firstDay, month, first, weeks] of [
    [1, { year: 2026, month: 11 }, '2026-10-26', 6],
    [7, { year: 2026, month: 11 }, '2026-11-01', 5],
    [1, { year: 2026, month: 2 }, '2026-01-26', 5],
    [1, { year: 2027, month: 2 }, '2027-02-01', 4],
  ] as const) {
    const made = weeksOf(month, firstDay);
    const day = made[0]?.[0];
    assert.equal(
      day &&
        `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`,
      first,
    );
    assert.equal(made.length, weeks);
    assert.ok(made.every((week) => week.length === 7));
  }
});

test('months step over New Year, and only the exact form is parsed', () => {
  assert.deepEqual(stepMonth({ year: 2026, month: 12 }, 1), { year: 2027, month: 1 });
  assert.deepEqual(stepMonth({ year: 2026, month: 1 }, -1), { year: 2025, month: 12 });
  assert.deepEqual(readMonth(writeMonth({ year: 2026, month: 3 })), { year: 2026, month: 3 });
  for (const text of ['2026-13', '2026-1', '', null, 7]) assert.equal(readMonth(text), null);
});

test('bars span the days they overlap, end before the midnight they end at, and never overlap', () => {
  const [, week = []] = weeksOf({ year: 2026, month: 11 }, 1);
  const laid = layOutWeek(week, [
    window('over', at(2026, 10, 30), at(2026, 11, 4, 12)),
    window('day', at(2026, 11, 3), at(2026, 11, 4)),
    window('late', at(2026, 11, 5, 22), at(2026, 11, 20)),
    window('before', at(2026, 10, 1), at(2026, 11, 2)),
    window('after', at(2026, 11, 9), at(2026, 11, 10)),
  ]);
  assert.deepEqual(
    laid.bars.map(({ window: { id }, column, span, track, begins, ends }) => [
      id,
      column,
      span,
      track,
      begins,
      ends,
    ]),
    [
      ['over', 0, 3, 0, false, true],
      ['day', 1, 1, 1, true, true],
      ['late', 3, 4, 0, true, false],
    ],
  );
  assert.equal(laid.tracks, 2);
});

test('a month has the windows that overlap it, the earliest first', () => {
  const windows = [
    window('next', at(2026, 12, 1), at(2026, 12, 2)),
    window('second', at(2026, 11, 20), at(2026, 12, 2)),
    window('first', at(2026, 10, 31), at(2026, 11, 1, 1)),
  ];
  assert.deepEqual(
    inMonth({ year: 2026, month: 11 }, windows).map(({ id }) => id),
    ['first', 'second'],
  );
});
