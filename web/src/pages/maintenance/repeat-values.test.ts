import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  daysOf,
  firstOn,
  NO_REPEAT,
  placeInMonth,
  type RepeatValues,
  repeatOf,
  repeatValuesOf,
  saidOfDays,
  withDays,
} from './repeat-values.ts';

/** A Tuesday, the second of its month. */
const START = Math.floor(new Date(2026, 10, 10, 22, 0, 0).getTime() / 1000);
const sent = (values: Partial<RepeatValues>) =>
  repeatOf({ ...NO_REPEAT, ...values }, START, null, 'Europe/Berlin');

test('the form’s choices become a rule for the day on which the window starts', () => {
  assert.equal(sent({}), null);
  assert.equal(sent({ every: 'day' })?.rrule, 'FREQ=DAILY');
  assert.equal(sent({ every: 'week' })?.rrule, 'FREQ=WEEKLY;BYDAY=TU');
  assert.equal(sent({ every: 'week', days: ['SU', 'MO'] })?.rrule, 'FREQ=WEEKLY;BYDAY=MO,SU');
  assert.equal(sent({ every: 'monthDay' })?.rrule, 'FREQ=MONTHLY;BYMONTHDAY=10');
  assert.equal(sent({ every: 'monthWeekday' })?.rrule, 'FREQ=MONTHLY;BYDAY=2TU');
  assert.deepEqual(placeInMonth(new Date(2026, 10, 29)), { nth: -1, weekday: 'SU' });
});

test('the last day counts as a whole', () => {
  const end = Math.floor(new Date(2026, 11, 24, 23, 59, 59).getTime() / 1000);
  assert.equal(sent({ every: 'day', until: '2026-12-24' })?.until_unix, end);
  assert.equal(sent({ every: 'day' })?.until_unix, null);
});

test('every rule of the form is parsed back, and an unknown one is kept', () => {
  for (const every of ['day', 'week', 'monthDay', 'monthWeekday'] as const) {
    const repeat = sent({ every, days: every === 'week' ? ['TU'] : [], until: '2026-12-24' });
    assert.deepEqual(repeatValuesOf(repeat), {
      every,
      days: every === 'week' ? ['TU'] : [],
      isChosen: false,
      until: '2026-12-24',
    });
    const before = { repeat, scheduled_start: START };
    assert.equal(repeatOf(repeatValuesOf(repeat), START, before, 'Asia/Tokyo'), repeat, 'untouched');
  }
  const other = { rrule: 'FREQ=YEARLY;BYMONTH=5', timezone: 'Asia/Tokyo', until_unix: null };
  const values = repeatValuesOf(other);
  assert.equal(values.every, 'other');
  const before = { repeat: other, scheduled_start: START };
  const cut = repeatOf({ ...values, until: '2030-01-01' }, START, before, 'Europe/Berlin');
  assert.deepEqual([cut?.rrule, cut?.timezone], [other.rrule, other.timezone]);
});

test('a monthly window moved to another day recurs on that day', () => {
  const repeat = sent({ every: 'monthDay' });
  const moved = repeatOf(
    repeatValuesOf(repeat),
    START + 2 * 86_400,
    { repeat, scheduled_start: START },
    'UTC',
  );
  assert.equal(moved?.rrule, 'FREQ=MONTHLY;BYMONTHDAY=12');
});

const DAY = 86_400;
const weekly: RepeatValues = { ...NO_REPEAT, every: 'week' };
const stored = (rrule: string, timezone = Intl.DateTimeFormat().resolvedOptions().timeZone) => ({
  repeat: { rrule, timezone, until_unix: null },
  scheduled_start: START,
});

test('the day of a new weekly window follows its start', () => {
  assert.deepEqual(daysOf(weekly, START, null), ['TU']);
  assert.deepEqual(daysOf(weekly, START + 4 * 3_600, null), ['WE'], 'over midnight');
  const back = withDays(withDays(weekly, ['TU', 'SU'], START, null), ['TU'], START, null);
  assert.deepEqual(daysOf(back, START + DAY, null), ['WE'], 'its own day alone is no choice');
});

test('chosen days of a new window stay, and the first window is on the first of them', () => {
  const chosen = withDays(weekly, ['TU', 'SU'], START, null);
  assert.equal(saidOfDays(chosen, START, null), null);
  assert.deepEqual(daysOf(chosen, START + DAY, null), ['TU', 'SU']);
  assert.equal(saidOfDays(chosen, START + DAY, null), 'stay');
  assert.equal(firstOn(chosen.days, START + DAY), START + 5 * DAY);
});

test('the days of a stored window move along with its start, as they do on the server', () => {
  const before = stored('FREQ=WEEKLY;BYDAY=MO,TU');
  const values = repeatValuesOf(before.repeat);
  assert.equal(saidOfDays(values, START, before), null);
  assert.deepEqual(daysOf(values, START + DAY, before), ['TU', 'WE']);
  assert.equal(saidOfDays(values, START + DAY, before), 'moved');
  assert.equal(repeatOf(values, START + DAY, before, 'UTC'), before.repeat, 'the server moves the rule');
  const until = repeatOf({ ...values, until: '2027-01-01' }, START + DAY, before, 'UTC');
  assert.equal(until?.rrule, 'FREQ=WEEKLY;BYDAY=TU,WE');
});

test('a stored window cannot start on a day that is not among the chosen ones', () => {
  const before = stored('FREQ=WEEKLY;BYDAY=TU');
  const values = withDays(repeatValuesOf(before.repeat), ['TH'], START, before);
  assert.equal(saidOfDays(values, START, before), 'wrong');
  assert.equal(saidOfDays(values, START + 2 * DAY, before), null);
});

test('a weekly rule keeps its time zone, whose days it names', () => {
  // Tuesday 22:00 of the reader may be Wednesday there.
  const before = stored('FREQ=WEEKLY;BYDAY=WE', 'Pacific/Kiritimati');
  const values = repeatValuesOf(before.repeat);
  const changed = repeatOf({ ...values, until: '2027-01-01' }, START, before, 'UTC');
  assert.deepEqual([changed?.rrule, changed?.timezone], ['FREQ=WEEKLY;BYDAY=WE', 'Pacific/Kiritimati']);
  assert.deepEqual(daysOf(values, START + DAY, before), ['TH']);
});
