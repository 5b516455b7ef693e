import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import { inMonth, layOutWeek, readMonth, stepMonth, weeksOf, writeMonth } from './calendar.ts';

const at = (...parts: [number, number, number, number?]) =>
  Math.floor(new Date(parts[0], parts[1] - 1, parts[2], parts[3] ?? 0).getTime() / 1000);
const dayOf = (day: Date) =>
  [day.getFullYear(), ...[day.getMonth() + 1, day.getDate()].map((part) => `${part}`.padStart(2, '0'))].join(
    '-',
  );
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

for (const [zone, ...changes] of [
  ['America/New_York', '2026-03-08', '2026-11-01'],
  ['Europe/Berlin', '2026-03-29', '2026-10-25'],
  // By half an hour.
  ['Australia/Lord_Howe', '2026-04-05', '2026-10-04'],
  // At midnight: the day begins at one.
  ['Africa/Cairo', '2026-04-24', '2026-10-29'],
] as const)
  test(`on the days of a change of the clocks a window is where it is on any other: ${zone}`, (t) => {
    const own = process.env.TZ;
    t.after(() => {
      if (own === undefined) delete process.env.TZ;
      else process.env.TZ = own;
    });
    process.env.TZ = zone;
    for (const day of changes) {
      const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
      const length = at(year, month, date + 1) - at(year, month, date);
      assert.notEqual(length, 86_400, `the clocks change on ${day}`);
      for (const firstDay of [1, 7]) {
        const weeks = weeksOf({ year, month }, firstDay);
        const dates = weeks.flat().map((each) => [each.getMonth() + 1, each.getDate()].join('-'));
        assert.equal(new Set(dates).size, weeks.length * 7, 'each day once');
        const week = weeks.find((days) => days.some((each) => dayOf(each) === day)) ?? [];
        const column = week.findIndex((each) => dayOf(each) === day);
        const laid = (from: number, until: number) =>
          layOutWeek(week, [window('own', from, until)]).bars.map((bar) => [bar.column, bar.span]);
        const [start, end] = [at(year, month, date), at(year, month, date + 1)];
        assert.deepEqual(laid(start, end), [[column, 1]], `the whole of ${day}`);
        assert.deepEqual(laid(start, start + 60), [[column, 1]], 'its first minute');
        assert.deepEqual(laid(end - 60, end), [[column, 1]], 'its last minute');
        const before = column === 0 ? [[0, 1]] : [[column - 1, 2]];
        assert.deepEqual(laid(start - 60, start + 60), before, 'over the midnight before it');
        const after = [[column, column === 6 ? 1 : 2]];
        assert.deepEqual(laid(end - 60, end + 60), after, 'over the midnight after it');
      }
    }
  });
