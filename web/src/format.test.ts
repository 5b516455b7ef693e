import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatsFor } from './format.ts';

const at = (...[year, month, day, hour = 0]: [number, number, number, number?]) =>
  new Date(year, month - 1, day, hour).getTime() / 1_000;
const [en, de] = [formatsFor('en-GB'), formatsFor('de-DE')];
const HOUR = 3_600;

test('days ago and ahead are counted, and not named after the calendar, which may say otherwise', () => {
  // 23:00 on Monday: 40 hours ago is Sunday morning, 47 hours ago Saturday night, and in 26 hours it is Wednesday.
  assert.deepEqual([en.ago(40 * HOUR), en.ago(47 * HOUR)], ['1 day ago', '1 day ago']);
  assert.deepEqual([en.until(26 * HOUR), de.until(26 * HOUR)], ['in 1 day', 'in 1 Tag']);
  assert.deepEqual([de.ago(49 * HOUR), de.ago(90)], ['vor 2 Tagen', 'vor 1 Minute']);
  assert.deepEqual([en.ago(0), de.until(0)], ['now', 'jetzt']);
});

test('the time until a moment is rounded, and said in smaller units where that would lead astray', () => {
  assert.deepEqual([1.5 * HOUR, 36 * HOUR, 2 * HOUR - 1, 2.6 * HOUR, 90, 47.9 * HOUR].map(en.until), [
    'in 90 minutes',
    'in 36 hours',
    'in 2 hours',
    'in 3 hours',
    'in 90 seconds',
    'in 2 days',
  ]);
});

test('a moment has its date unless it is today, and its year unless it is this one', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: at(2026, 1, 2, 12) * 1_000 });
  assert.equal(en.moment(at(2026, 1, 2, 9)), '09:00:00');
  assert.equal(en.moment(at(2026, 1, 1, 9)), '1 Jan, 09:00');
  assert.equal(en.moment(at(2025, 12, 31, 9)), '31 Dec 2025, 09:00');
  assert.equal(en.minute(at(2026, 1, 2, 9)), '09:00');
  assert.equal(de.minute(at(2025, 12, 31, 9)), '31. Dez. 2025, 09:00');
});
