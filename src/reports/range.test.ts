import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../platform/refusals.ts';
import { rangeOf } from './range.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-11-24T04:00:00.250Z');
const unixOf = (text: string) => Date.parse(text) / 1000;

test('a past month is whole, the current one ends now', () => {
  const october = rangeOf({ period: '2026-10', timezone: 'europe/berlin' }, NOW);
  assert.deepEqual(october, {
    period: '2026-10',
    timezone: 'Europe/Berlin',
    span: { fromMs: Date.parse('2026-09-30T22:00Z'), untilMs: Date.parse('2026-10-31T23:00Z') },
    isOver: true,
    keptSinceMs: null,
  });
  const november = rangeOf({ period: '2026-11' }, NOW);
  assert.deepEqual([november.timezone, november.isOver], ['UTC', false]);
  assert.equal(november.span.untilMs, NOW.getTime());
});

test('without a period the report covers the current month in its time zone', () => {
  assert.equal(rangeOf({}, NOW).period, '2026-11');
  const newYear = new Date('2026-12-31T23:30:00Z');
  assert.equal(rangeOf({ timezone: 'Asia/Tokyo' }, newYear).period, '2027-01');
});

test('a range is two instants, the second exclusive', () => {
  const { span, period } = rangeOf({ from_unix: 1_700_000_000, to_unix: 1_700_000_001 }, NOW);
  assert.deepEqual([span.untilMs - span.fromMs, period], [1000, null]);
});

test('a range from before the retained data says since when data exists', () => {
  const { keptSinceMs } = rangeOf({ period: '2025' }, NOW);
  assert.equal(keptSinceMs, NOW.getTime() - 400 * DAY_MS);
});

const REFUSED: [asked: Parameters<typeof rangeOf>[0], field: string][] = [
  [{ period: 'October' }, 'period'],
  [{ period: '2026-12' }, 'period'],
  [{ period: '2025-01-01/2026-10-31' }, 'period'],
  [{ period: '2026-10', from_unix: 1 }, 'from_unix'],
  [{ period: '2026-10', to_unix: 1 }, 'to_unix'],
  [{ from_unix: 1_700_000_000 }, 'to_unix'],
  [{ to_unix: 1_700_000_000 }, 'from_unix'],
  [{ from_unix: 1_700_000_000, to_unix: 1_700_000_000 }, 'to_unix'],
  [{ from_unix: unixOf('2026-11-24T04:00:01Z'), to_unix: unixOf('2026-12-01') }, 'from_unix'],
  [{ from_unix: 0, to_unix: 1_700_000_000 }, 'from_unix'],
  [{ period: '2026-10', timezone: 'Mars/Olympus' }, 'timezone'],
  [{ period: '2026-10', timezone: '+02:00' }, 'timezone'],
];
for (const [asked, field] of REFUSED)
  test(`${JSON.stringify(asked)} is refused for ${field}`, () => {
    assert.throws(
      () => rangeOf(asked, NOW),
      (error) => error instanceof Refusal && error.status === 400 && error.details.field === field,
    );
  });
