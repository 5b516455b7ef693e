import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_REPEAT, placeInMonth, type RepeatValues, repeatOf, repeatValuesOf } from './repeat-values.ts';

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
