import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, changesOf, endAfter, movedTo, newValues, timesOf, valuesOf } from './window-values.ts';

const NOON = Math.floor(new Date(2026, 10, 21, 12, 0, 0).getTime() / 1000);

test('a new window is the next full hour; a duration sets its end, a new start moves it along', () => {
  const values = newValues(NOON - 100);
  assert.deepEqual([values.start, values.end], ['2026-11-21T12:00', '2026-11-21T13:00']);
  assert.equal(endAfter(values, 1800, NOON), '2026-11-21T12:30');
  assert.equal(endAfter({ ...values, startsNow: true }, 7200, NOON + 600), '2026-11-21T14:10');
  assert.equal(movedTo(values, '2026-11-22T01:30').end, '2026-11-22T02:30');
  assert.deepEqual(movedTo(values, ''), { ...values, start: '' });
});

test('a window that starts now lasts as long as was chosen, whatever the second', () => {
  const now = NOON + 43;
  const values = { ...newValues(NOON), startsNow: true };
  const { start, end } = timesOf({ ...values, end: endAfter(values, 3600, now) }, now);
  assert.equal((end ?? 0) - (start ?? 0), 3600);
});

test('untouched times are sent unchanged, to the second; now is now; invalid times are null', () => {
  const window = {
    id: 'mwn_1',
    title: 'W',
    body: '',
    scheduled_start: NOON + 7,
    scheduled_end: NOON + 3607,
    public_visible: false,
    cancelled: false,
    series_id: null,
    repeat: null,
    monitors: [
      { id: 'mon_1', name: 'M', by_tag: false },
      { id: 'mon_2', name: 'N', by_tag: true },
    ],
    tags: ['prod'],
  };
  const values = valuesOf(window);
  const times = timesOf(values, NOON, window);
  assert.deepEqual(times, { start: NOON + 7, end: NOON + 3607 });
  assert.deepEqual(timesOf({ ...values, startsNow: true, end: '' }, NOON, window), {
    start: NOON,
    end: null,
  });
  assert.deepEqual(bodyOf(values, { start: 1, end: 2 }, null), {
    title: 'W',
    body: '',
    scheduled_start: 1,
    scheduled_end: 2,
    monitors: ['mon_1'],
    tags: ['prod'],
    public_visible: false,
  });
});

test('only what was changed is sent, and the rule only with a scope that has one', () => {
  const window = {
    id: 'mwn_1',
    title: 'W',
    body: '',
    scheduled_start: NOON + 7,
    scheduled_end: NOON + 3607,
    public_visible: true,
    cancelled: false,
    series_id: 'mws_1',
    repeat: { rrule: 'FREQ=DAILY', timezone: 'Europe/Berlin', until_unix: null },
    monitors: [],
    tags: [],
  };
  const values = valuesOf(window);
  assert.deepEqual(changesOf(values, window, 'all'), {});
  assert.deepEqual(changesOf({ ...values, body: 'Slow' }, window, 'all'), { body: 'Slow' });
  const weekly = { ...values, repeat: { ...values.repeat, every: 'week' as const } };
  assert.deepEqual(Object.keys(changesOf(weekly, window, 'all')), ['repeat']);
  assert.deepEqual(changesOf(weekly, window, 'this'), {});
});
