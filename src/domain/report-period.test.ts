import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monthAt, periodProblem, periodSpan } from './report-period.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const spelled = (period: string, timezone: string) => {
  const { fromMs, untilMs } = periodSpan(period, timezone);
  return [fromMs, untilMs].map((ms) => new Date(ms).toISOString().replace(':00.000Z', 'Z'));
};

const SPANS: [period: string, timezone: string, from: string, until: string][] = [
  ['2026-10', 'UTC', '2026-10-01T00:00Z', '2026-11-01T00:00Z'],
  ['2026-10', 'Europe/Berlin', '2026-09-30T22:00Z', '2026-10-31T23:00Z'],
  ['2026-03', 'Europe/Berlin', '2026-02-28T23:00Z', '2026-03-31T22:00Z'],
  ['2026-02', 'America/New_York', '2026-02-01T05:00Z', '2026-03-01T05:00Z'],
  ['2028-02', 'UTC', '2028-02-01T00:00Z', '2028-03-01T00:00Z'],
  ['2026-12', 'Asia/Kathmandu', '2026-11-30T18:15Z', '2026-12-31T18:15Z'],
  ['2026-Q1', 'UTC', '2026-01-01T00:00Z', '2026-04-01T00:00Z'],
  ['2026-Q4', 'Europe/Berlin', '2026-09-30T22:00Z', '2026-12-31T23:00Z'],
  ['2026', 'Pacific/Auckland', '2025-12-31T11:00Z', '2026-12-31T11:00Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
  ['2026-10-03/2026-10-17', 'UTC', '2026-10-03T00:00Z', '2026-10-18T00:00Z'],
  // Midnight does not exist: clocks go from 00:00 to 01:00.
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00Z', '2026-09-07T03:00Z'],
];
for (const [period, timezone, from, until] of SPANS)
  test(`${period} in ${timezone} is ${from} to ${until}`, () => {
    assert.equal(periodProblem(period), null);
    assert.deepEqual(spelled(period, timezone), [from, until]);
  });

test('the month of an instant is that of its time zone', () => {
  const ms = Date.parse('2026-10-31T23:30Z');
  assert.deepEqual([monthAt(ms, 'UTC'), monthAt(ms, 'Europe/Berlin')], ['2026-10', '2026-11']);
});

test('the days on which clocks change have 23 and 25 hours', () => {
  const lasts = (period: string) => {
    const { fromMs, untilMs } = periodSpan(period, 'Europe/Berlin');
    return untilMs - fromMs;
  };
  assert.equal(lasts('2026-03-29'), 23 * HOUR_MS);
  assert.equal(lasts('2026-10-25'), 25 * HOUR_MS);
  assert.equal(lasts('2026-03'), 31 * DAY_MS - HOUR_MS);
  assert.equal(lasts('2026-10'), 31 * DAY_MS + HOUR_MS);
});

test('months and quarters are contiguous in every time zone', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Tehran']) {
    const whole = periodSpan('2026', zone);
    const months = Array.from({ length: 12 }, (_, i) => `2026-${String(i + 1).padStart(2, '0')}`);
    for (const parts of [months, ['2026-Q1', '2026-Q2', '2026-Q3', '2026-Q4']]) {
      const spans = parts.map((part) => periodSpan(part, zone));
      assert.equal(spans[0]?.fromMs, whole.fromMs);
      assert.equal(spans.at(-1)?.untilMs, whole.untilMs);
      for (const [i, { untilMs }] of spans.slice(0, -1).entries())
        assert.equal(untilMs, spans[i + 1]?.fromMs);
    }
  }
});

for (const period of [
  ...['', 'October', '2026-13', '2026-00', '2026-Q5', '2026-Q0', '2026-10-32', '2026-02-29', '26-10'],
  ...['2026-10-17/2026-10-03', '1969', '1969-12', '1969-12-31', '2026-10/2026-11', '2026-10-03/', '99999'],
  ...['2026-10-03T00:00', ' 2026-10', '-2026-10'],
])
  test(`${JSON.stringify(period)} is no period`, () => {
    assert.notEqual(periodProblem(period), null);
  });
