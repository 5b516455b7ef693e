import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayAt, firstDayOf, kindOf, lastDayOf, periodOf, readReportSearch, shiftPeriod } from './search.ts';

test('invalid parameters of an address are dropped', () => {
  assert.deepEqual(readReportSearch({ period: '2026-10', zone: 'UTC', tag: 'prod', more: 1 }), {
    ...{ period: '2026-10', zone: 'UTC', tag: 'prod' },
  });
  assert.deepEqual(readReportSearch({ period: 2026 }), { period: '2026' });
  assert.deepEqual(readReportSearch({ period: 'soon', project: '' }), {});
  assert.deepEqual(readReportSearch({ period: '2026-11', zone: 'Mars/Phobos' }), { period: '2026-11' });
  assert.deepEqual(readReportSearch({ project: 'prj_1', tag: 'prod', page: 'stp_1' }), { project: 'prj_1' });
});

const STEPS: [period: string, steps: number, expected: string][] = [
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
  ['2026-Q4', 1, '2027-Q1'],
  ['2026-Q1', -1, '2025-Q4'],
  ['2026', -1, '2025'],
  ['2026-03-01', -1, '2026-02-28'],
  ['2026-10-03/2026-10-09', 1, '2026-10-10/2026-10-16'],
  ['2026-10-03/2026-10-09', -1, '2026-09-26/2026-10-02'],
];
for (const [period, steps, expected] of STEPS)
  test(`${steps} from ${period} is ${expected}`, () => {
    assert.equal(shiftPeriod(period, steps), expected);
  });

test('another kind of period contains the last day on screen', () => {
  const today = '2026-11-24';
  assert.equal(lastDayOf('2026-10', today), '2026-10-31');
  assert.equal(lastDayOf('2026-11', today), today);
  assert.equal(lastDayOf('2026-Q2', today), '2026-06-30');
  assert.equal(lastDayOf('2024', today), '2024-12-31');
  assert.equal(periodOf('quarter', '2026-10-31'), '2026-Q4');
  assert.equal(periodOf('month', '2026-06-30'), '2026-06');
  assert.equal(periodOf('year', today), '2026');
  assert.equal(periodOf('days', '2026-03-02'), '2026-02-24/2026-03-02');
  assert.deepEqual(['2026-Q2', '2026-11', '2026'].map(firstDayOf), [
    '2026-04-01',
    '2026-11-01',
    '2026-01-01',
  ]);
});

test('today is that of the time zone', () => {
  const ms = Date.parse('2026-12-31T23:30:00Z');
  assert.deepEqual([dayAt(ms, 'UTC'), dayAt(ms, 'Asia/Tokyo')], ['2026-12-31', '2027-01-01']);
});

test('an invalid period is rejected', () => {
  for (const period of ['2026-13', '2026-Q5', '26', '2026-10-', '2026-02-31', '2026-99-99', ''])
    assert.equal(kindOf(period), null);
});
