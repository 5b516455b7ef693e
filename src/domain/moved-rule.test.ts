import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysOf, movedRule } from './moved-rule.ts';

const local = (text: string) => Temporal.PlainDateTime.from(text);
/** 2026-03-02 is a Monday. */
const MONDAY = '2026-03-02T23:00';
const moved = (rrule: string, from: string, to: string) => movedRule(rrule, local(from), local(to));

const RULES: [what: string, rrule: string, from: string, to: string, becomes: string | null][] = [
  ['an hour later', 'FREQ=WEEKLY;BYDAY=MO', MONDAY, '2026-03-02T23:30', 'FREQ=WEEKLY;BYDAY=MO'],
  ['over midnight', 'FREQ=WEEKLY;BYDAY=MO', MONDAY, '2026-03-03T01:00', 'FREQ=WEEKLY;BYDAY=TU'],
  ['back by a day', 'FREQ=WEEKLY;BYDAY=MO,TH', MONDAY, '2026-03-01T23:00', 'FREQ=WEEKLY;BYDAY=WE,SU'],
  ['by a week', 'FREQ=WEEKLY;BYDAY=MO,TH', MONDAY, '2026-03-09T23:00', 'FREQ=WEEKLY;BYDAY=MO,TH'],
  [
    'with the day on which a week begins',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU',
    MONDAY,
    '2026-03-03T23:00',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU;WKST=TU',
  ],
  ['without days of its own', 'FREQ=MONTHLY', MONDAY, '2026-03-05T01:00', 'FREQ=MONTHLY'],
  [
    'to another day of the month',
    'FREQ=MONTHLY;BYMONTHDAY=2',
    MONDAY,
    '2026-03-31T23:00',
    'FREQ=MONTHLY;BYMONTHDAY=31',
  ],
  ['of two days of the month', 'FREQ=MONTHLY;BYMONTHDAY=2,16', MONDAY, '2026-03-03T23:00', null],
  ['of the first Monday', 'FREQ=MONTHLY;BYDAY=1MO', MONDAY, '2026-03-03T23:00', null],
  [
    'of the first Monday, within the day',
    'FREQ=MONTHLY;BYDAY=1MO',
    MONDAY,
    '2026-03-02T04:00',
    'FREQ=MONTHLY;BYDAY=1MO',
  ],
  ['of every Monday in March', 'FREQ=WEEKLY;BYMONTH=3;BYDAY=MO', MONDAY, '2026-03-03T23:00', null],
  ['to another month than the rule has', 'FREQ=YEARLY;BYMONTH=3', MONDAY, '2026-04-02T23:00', null],
  ['to an hour that the rule does not have', 'FREQ=DAILY;BYHOUR=11,23', MONDAY, '2026-03-02T22:00', null],
  [
    'by minutes, where the rule has hours',
    'FREQ=DAILY;BYHOUR=11,23',
    MONDAY,
    '2026-03-02T23:30',
    'FREQ=DAILY;BYHOUR=11,23',
  ],
];
for (const [what, rrule, from, to, becomes] of RULES)
  test(`${rrule} moved ${what} ${becomes === null ? 'is for its author to say' : `is ${becomes}`}`, () => {
    assert.equal(moved(rrule, from, to)?.rrule ?? null, becomes);
  });

test('a day that a month lacks has no place there, and the other months keep theirs', () => {
  const rule = moved('FREQ=MONTHLY', '2026-01-28T22:00', '2026-03-31T01:00');
  assert.equal(rule?.moved(local('2026-01-28T22:00'))?.toString(), '2026-03-31T01:00:00');
  assert.equal(rule?.moved(local('2026-02-28T22:00')), null);
  assert.equal(rule?.moved(local('2026-12-28T22:00')), null);
  assert.equal(rule?.moved(local('2026-03-28T22:00'))?.toString(), '2026-05-31T01:00:00');
});

test('two rules with the same days are the same, whatever their COUNT and order', () => {
  assert.equal(daysOf('FREQ=WEEKLY;BYDAY=MO,TU;COUNT=3'), daysOf('BYDAY=TU,MO;FREQ=WEEKLY;INTERVAL=1'));
  assert.notEqual(daysOf('FREQ=WEEKLY;BYDAY=MO'), daysOf('FREQ=WEEKLY;BYDAY=TU'));
});
