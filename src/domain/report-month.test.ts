import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailedAt, monthAfter } from './report-month.ts';

test('the month after December is January', () => {
  assert.equal(monthAfter('2026-12'), '2027-01');
  assert.equal(monthAfter('2026-01'), '2026-02');
});

const MIDNIGHTS: [month: string, zone: string, end: string][] = [
  ['2026-10', 'UTC', '2026-11-01T00:00:00Z'],
  ['2026-10', 'Europe/Berlin', '2026-10-31T23:00:00Z'],
  ['2026-09', 'Europe/Berlin', '2026-09-30T22:00:00Z'],
  ['2026-12', 'Pacific/Auckland', '2026-12-31T11:00:00Z'],
  ['2026-02', 'America/New_York', '2026-03-01T05:00:00Z'],
];
for (const [month, zone, end] of MIDNIGHTS)
  test(`the report of ${month} in ${zone} is mailed one to three hours after the month, always at the same moment`, () => {
    const hours = Array.from({ length: 200 }, (_, no) => {
      const at = mailedAt(month, zone, `rps_${no}`);
      assert.deepEqual(at, mailedAt(month, zone, `rps_${no}`));
      return (at.getTime() - Date.parse(end)) / 3_600_000;
    });
    assert.ok(hours.every((each) => each >= 1 && each < 3));
    assert.ok(Math.max(...hours) - Math.min(...hours) > 1.5, 'spread');
  });
