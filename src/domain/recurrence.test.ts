import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  movedLikewise,
  nextOccurrence,
  normalRule,
  occurrencesOf,
  ruleProblem,
  type Series,
  withOwnEnd,
} from './recurrence.ts';

const at = (text: string) => Temporal.ZonedDateTime.from(text).epochMilliseconds;
const series = (rrule: string, start: string, end: string, untilMs: number | null = null): Series => ({
  repeat: { rrule, timezone: Temporal.ZonedDateTime.from(start).timeZoneId, untilMs },
  first: { fromMs: at(start), untilMs: at(end) },
});
const local = (ms: number, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone);
const shown = (of: Series, from: string, until: string) =>
  occurrencesOf(of, at(from), at(until)).map(({ fromMs, untilMs }) => {
    const [begins, ends] = [fromMs, untilMs].map((ms) => local(ms, of.repeat.timezone).toPlainDateTime());
    return `${begins?.toString({ smallestUnit: 'minute' })} ${ends?.toPlainTime().toString({ smallestUnit: 'minute' })}`;
  });

test('a weekly window on Sunday keeps its local hours across both changes of the clocks', () => {
  const sundays = series(
    'FREQ=WEEKLY;BYDAY=SU',
    '2026-03-15T22:00[Europe/Berlin]',
    '2026-03-16T01:30[Europe/Berlin]',
  );
  assert.deepEqual(shown(sundays, '2026-03-20T00:00[UTC]', '2026-04-06T00:00[UTC]'), [
    '2026-03-22T22:00 01:30',
    '2026-03-29T22:00 01:30',
    '2026-04-05T22:00 01:30',
  ]);
  assert.deepEqual(shown(sundays, '2026-10-24T00:00[UTC]', '2026-11-02T00:00[UTC]'), [
    '2026-10-25T22:00 01:30',
    '2026-11-01T22:00 01:30',
  ]);
});

test('a night with an hour more or less has its local length', () => {
  const nightly = series('FREQ=DAILY', '2026-03-01T01:00[Europe/Berlin]', '2026-03-01T05:00[Europe/Berlin]');
  const hours = (from: string, until: string) =>
    occurrencesOf(nightly, at(from), at(until)).map(({ fromMs, untilMs }) => (untilMs - fromMs) / 3_600_000);
  assert.deepEqual(hours('2026-03-28T12:00[UTC]', '2026-03-30T12:00[UTC]'), [3, 4]);
  assert.deepEqual(hours('2026-10-24T12:00[UTC]', '2026-10-25T12:00[UTC]'), [5]);
});

test('a local time that is skipped is omitted that night, as in RFC 5545; one that occurs twice is the first', () => {
  const nightly = series('FREQ=DAILY', '2026-03-01T02:30[Europe/Berlin]', '2026-03-01T02:45[Europe/Berlin]');
  assert.deepEqual(shown(nightly, '2026-03-27T12:00[UTC]', '2026-03-30T12:00[UTC]'), [
    '2026-03-28T02:30 02:45',
    '2026-03-30T02:30 02:45',
  ]);
  const [night] = occurrencesOf(nightly, at('2026-10-25T00:00[UTC]'), at('2026-10-25T12:00[UTC]'));
  assert.equal(night?.fromMs, at('2026-10-25T02:30+02:00[Europe/Berlin]'));
});

test('an end that the clocks skip is shifted by the length of the change', () => {
  const nightly = series('FREQ=DAILY', '2026-03-01T01:00[Europe/Berlin]', '2026-03-01T02:30[Europe/Berlin]');
  assert.deepEqual(shown(nightly, '2026-03-28T23:00[UTC]', '2026-03-29T12:00[UTC]'), [
    '2026-03-29T01:00 03:30',
  ]);
});

test('the first occurrence is the first match at or after the start; the last starts before the recurrence ends', () => {
  const mondays = series(
    'FREQ=WEEKLY;BYDAY=MO',
    '2026-11-24T04:00[UTC]',
    '2026-11-24T05:00[UTC]',
    at('2026-12-07T04:00[UTC]'),
  );
  const first = nextOccurrence(mondays, mondays.first.fromMs);
  assert.equal(first?.fromMs, at('2026-11-30T04:00[UTC]'));
  assert.deepEqual(shown(mondays, '2026-11-01T00:00[UTC]', '2027-11-01T00:00[UTC]'), [
    '2026-11-30T04:00 05:00',
    '2026-12-07T04:00 05:00',
  ]);
  assert.equal(nextOccurrence(mondays, at('2026-12-07T04:00:01[UTC]')), null);
});

test('monthly rules: a day that a month lacks is omitted, the second Tuesday is found', () => {
  const last = series('FREQ=MONTHLY;BYMONTHDAY=31', '2026-01-31T04:00[UTC]', '2026-01-31T05:00[UTC]');
  assert.deepEqual(
    shown(last, '2026-01-01T00:00[UTC]', '2026-06-01T00:00[UTC]').map((text) => text.slice(5, 10)),
    ['01-31', '03-31', '05-31'],
  );
  const second = series('FREQ=MONTHLY;BYDAY=2TU', '2026-01-01T04:00[UTC]', '2026-01-01T05:00[UTC]');
  assert.deepEqual(
    shown(second, '2026-01-01T00:00[UTC]', '2026-04-01T00:00[UTC]').map((text) => text.slice(5, 10)),
    ['01-13', '02-10', '03-10'],
  );
});

const PROBLEMS: [rrule: string, problem: RegExp | null][] = [
  ['FREQ=DAILY', null],
  ['rrule:freq=weekly;byday=mo,we', null],
  ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', null],
  ['FREQ=DAILY;COUNT=1000', null],
  ['FREQ=DAILY;COUNT=1001', /COUNT from 1 to 1000/],
  ['FREQ=DAILY;COUNT=', /does not know/],
  ['FREQ=HOURLY', /FREQ, one of/],
  ['FREQ=SECONDLY', /FREQ, one of/],
  ['BYDAY=MO', /FREQ, one of/],
  ['every day', /does not know/],
  ['FREQ=DAILY;FREQ=WEEKLY', /twice/],
  ['FREQ=DAILY\nEXDATE:20260101T000000Z', /does not know/],
  ['FREQ=DAILY;RSCALE=HEBREW', /does not know/],
  ['FREQ=DAILY;BYHOUR=99', /BYHOUR from 0 to 23/],
  ['FREQ=DAILY;INTERVAL=0', /INTERVAL from 1/],
  ['FREQ=DAILY;INTERVAL=999999999999', /INTERVAL from 1/],
  ['FREQ=MONTHLY;BYMONTHDAY=0', /BYMONTHDAY from -31 to 31/],
  ['FREQ=WEEKLY;BYDAY=XX', /RFC 5545/],
  ['FREQ=DAILY;UNTIL=20260303', /UNTIL/],
];
for (const [rrule, problem] of PROBLEMS)
  test(`${JSON.stringify(rrule)} is ${problem ? 'refused' : 'a rule'}`, () => {
    const said = ruleProblem(normalRule(rrule));
    if (problem) assert.match(said ?? '', problem);
    else assert.equal(said, null);
  });

test('an UNTIL of a rule becomes the end of the series, unless that ends before', () => {
  const end = at('2027-01-05T22:00[UTC]');
  const own = (rrule: string, untilMs: number | null) => {
    const { rrule: rest, untilMs: endMs } = withOwnEnd({ rrule, timezone: 'UTC', untilMs });
    return [rest, endMs];
  };
  assert.deepEqual(own('FREQ=DAILY;UNTIL=20270105T220000Z', null), ['FREQ=DAILY', end]);
  assert.deepEqual(own('UNTIL=20270105T220000,5Z;FREQ=DAILY', end + 1000), ['FREQ=DAILY', end]);
  assert.deepEqual(own('FREQ=DAILY;UNTIL=20270105T220000Z', end - 1000), ['FREQ=DAILY', end - 1000]);
  assert.deepEqual(own('FREQ=DAILY;COUNT=3', null), ['FREQ=DAILY;COUNT=3', null]);
});

test('a rule that matches nothing is abandoned', () => {
  const never = series(
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    '2026-01-01T04:00[UTC]',
    '2026-01-01T05:00[UTC]',
  );
  assert.throws(() => nextOccurrence(never, never.first.fromMs));
});

const ZONES = Intl.supportedValuesOf('timeZone');
const START = Temporal.PlainDateTime.from('2026-01-01T00:00');

test('in every IANA zone all occurrences have the same local time, and only nights without that time are omitted', () => {
  const minutes = fc.integer({ min: 0, max: 1439 });
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      minutes,
      fc.integer({ min: 1, max: 720 }),
      (zone, begins, lasts) => {
        assertHolds(zone, begins, lasts);
      },
    ),
    { numRuns: 20 },
  );
});

test('every zone is tested in the nights in which its clocks change', () => {
  for (const zone of ZONES) {
    const first = START.toZonedDateTime(zone).getTimeZoneTransition('next');
    const second = first?.getTimeZoneTransition('next');
    for (const change of [first, second]) {
      const near = (change ?? START.toZonedDateTime(zone)).toPlainDateTime().subtract({ days: 2 });
      for (const begins of [30, 90, 150])
        assertHolds(zone, begins, 60, 4, near.with({ hour: 0, minute: 0, second: 0 }));
    }
  }
});

/** A window each day for `days`, beginning at a minute of the day. */
function assertHolds(zone: string, begins: number, lasts: number, days = 400, since = START): void {
  const first = since.add({ minutes: begins }).toZonedDateTime(zone);
  const end = since.add({ minutes: begins + lasts }).toZonedDateTime(zone);
  const daily: Series = {
    repeat: { rrule: 'FREQ=DAILY', timezone: zone, untilMs: null },
    first: { fromMs: first.epochMilliseconds, untilMs: end.epochMilliseconds },
  };
  const found = occurrencesOf(daily, first.epochMilliseconds, first.add({ days }).epochMilliseconds);
  const dates = new Set<string>();
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const { fromMs, untilMs } of found) {
    const [from, until] = [local(fromMs, zone), local(untilMs, zone)];
    assert.ok(from.toPlainTime().equals(first.toPlainTime()), `${zone}: ${from}`);
    assert.ok(fromMs > lastMs && untilMs > fromMs);
    const wanted = from.toPlainDateTime().add({ minutes: lasts });
    const there = wanted.toZonedDateTime(zone).toPlainDateTime();
    // Where the end is a time that the clock skips, it is later.
    assert.ok(until.toPlainDateTime().equals(there), `${zone}: ${until} for ${wanted}`);
    dates.add(from.toPlainDate().toString());
    lastMs = fromMs;
  }
  for (let day = 0; day < days; day++) {
    const wanted = first.toPlainDateTime().add({ days: day });
    const isThere = wanted.toZonedDateTime(zone).toPlainDateTime().equals(wanted);
    assert.equal(dates.has(wanted.toPlainDate().toString()), isThere, `${zone}: ${wanted}`);
  }
}

test('a moved series keeps its local time too, across a change of the clocks', () => {
  const moved = movedLikewise(
    at('2026-03-30T22:00[Europe/Berlin]'),
    at('2026-03-23T22:00[Europe/Berlin]'),
    at('2026-03-24T23:30[Europe/Berlin]'),
    'Europe/Berlin',
  );
  assert.equal(moved, at('2026-03-31T23:30[Europe/Berlin]'));
});
