// Where the windows of a repetition go when all move: each to its own time, whatever dates the old and the new rule skip.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { movedRule } from '../domain/moved-rule.ts';
import { localAt, occurrencesOf, type Series } from '../domain/recurrence.ts';
import { spansByPlace, targetsOf } from './places.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
type Local = Temporal.PlainDateTime;
const local = (text: string) => Temporal.PlainDateTime.from(text);

/** A year of a rule, and the same moved: the new span of each place, and those that nothing moved to. */
function moved(rrule: string, timezone: string, from: Local, to: Local) {
  const seriesOf = (rule: string, fromMs: number): Series => ({
    repeat: { rrule: rule, timezone, untilMs: null },
    first: { fromMs, untilMs: fromMs + HOUR_MS },
  });
  const startMs = from.toZonedDateTime(timezone).epochMilliseconds;
  const all = occurrencesOf(seriesOf(rrule, startMs), startMs, startMs + 366 * DAY_MS).map(
    ({ fromMs }) => fromMs,
  );
  const rule = movedRule(rrule, localAt(all[0]!, timezone), to);
  if (!rule) return null;
  const places = { all, move: { rule, timezone } };
  const targets = targetsOf(places, timezone);
  const first = targets.find((each) => each !== null);
  if (first == null) return null;
  const last = Math.max(...targets.map((each) => each ?? 0));
  const spans = occurrencesOf(seriesOf(rule.rrule, first), first, last);
  const { byPlace, fresh } = spansByPlace(places, timezone, spans);
  const shown = (ms: number) => localAt(ms, timezone).toString({ smallestUnit: 'minute' });
  return {
    targets,
    rule,
    pairs: all.map((place) => {
      const span = byPlace.get(place);
      return [shown(place), span ? shown(span.fromMs) : null] as const;
    }),
    fresh: fresh.map(({ fromMs }) => shown(fromMs)),
  };
}

test('the 31st moved to the 30th keeps each window in its month, and the other months get one of their own', () => {
  const { pairs, fresh } = moved(
    'FREQ=MONTHLY',
    'UTC',
    local('2027-01-31T22:00'),
    local('2027-01-30T22:00'),
  )!;
  assert.deepEqual(pairs.slice(0, 3), [
    ['2027-01-31T22:00', '2027-01-30T22:00'],
    ['2027-03-31T22:00', '2027-03-30T22:00'],
    ['2027-05-31T22:00', '2027-05-30T22:00'],
  ]);
  assert.deepEqual(fresh, ['2027-04-30T22:00', '2027-06-30T22:00', '2027-09-30T22:00', '2027-11-30T22:00']);
});

test('a night without the new time loses its window alone; one without the old time gets one', () => {
  const at = (time: string) => local(`2027-03-27T${time}`);
  const into = moved('FREQ=DAILY', 'Europe/Berlin', at('03:30'), at('02:30'))!;
  assert.deepEqual(into.pairs.slice(0, 3), [
    ['2027-03-27T03:30', '2027-03-27T02:30'],
    ['2027-03-28T03:30', null],
    ['2027-03-29T03:30', '2027-03-29T02:30'],
  ]);
  const outOf = moved('FREQ=DAILY', 'Europe/Berlin', at('02:30'), at('03:30'))!;
  assert.deepEqual(outOf.pairs.slice(0, 2), [
    ['2027-03-27T02:30', '2027-03-27T03:30'],
    ['2027-03-29T02:30', '2027-03-29T03:30'],
  ]);
  assert.deepEqual(outOf.fresh.slice(0, 1), ['2027-03-28T03:30']);
});

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const interval = fc.constantFrom('', ';INTERVAL=2', ';INTERVAL=3');
const byDay = fc.subarray(WEEKDAYS).map((days) => (days.length === 0 ? '' : `;BYDAY=${days.join(',')}`));
const weekStart = fc.constantFrom('', ';WKST=SU', ';WKST=TH');
const weekly = fc
  .tuple(fc.constantFrom('DAILY', 'WEEKLY'), interval, byDay, weekStart)
  .map(([freq, ...parts]) => `FREQ=${freq}${parts.join('')}`);
const monthly = fc
  .tuple(fc.constantFrom('MONTHLY', 'YEARLY'), interval)
  .map(([freq, each]) => `FREQ=${freq}${each}`);
const zones = fc.constantFrom('Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'UTC');
const starts = fc
  .integer({ min: 0, max: 2 * 365 * 24 * 2 })
  .map((halves) => local('2026-01-01T00:00').add({ minutes: halves * 30 }));
const moves = fc.tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: -47, max: 47 }));

test('every window is where it moves to by local time, and none is lost but for a time or a day that is not there', () => {
  fc.assert(
    fc.property(fc.oneof(weekly, monthly), zones, starts, moves, (rrule, zone, from, [days, halves]) => {
      const startMs = from.toZonedDateTime(zone).epochMilliseconds;
      const series = {
        repeat: { rrule, timezone: zone, untilMs: null },
        first: { fromMs: startMs, untilMs: startMs + HOUR_MS },
      };
      const [firstMs] = occurrencesOf(series, startMs, startMs + 366 * DAY_MS).map(({ fromMs }) => fromMs);
      if (firstMs === undefined) return;
      const first = localAt(firstMs, zone);
      const to = first.add({ days }).add({ minutes: halves * 30 });
      const found = moved(rrule, zone, from, to);
      if (!found) return;
      for (const [i, [place, now]] of found.pairs.entries()) {
        const target: Local | null = found.rule.moved(local(place));
        const there: string | null =
          found.targets[i] == null ? null : (target?.toString({ smallestUnit: 'minute' }) ?? null);
        assert.equal(now, there, `${rrule} in ${zone}: ${place} of ${first} to ${to}`);
      }
    }),
    { numRuns: 150 },
  );
});

test('where no clock changes, days that move along bring no window of their own', () => {
  fc.assert(
    fc.property(weekly, starts, moves, (rrule, from, [days, halves]) => {
      const first = moved(rrule, 'UTC', from, from)?.pairs[0]?.[0];
      if (!first) return;
      const found = moved(
        rrule,
        'UTC',
        from,
        local(first)
          .add({ days })
          .add({ minutes: halves * 30 }),
      );
      assert.deepEqual(found?.fresh, [], `${rrule}: ${first} by ${days} d ${halves * 30} min`);
    }),
    { numRuns: 100 },
  );
});
