import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dutyAt, periodsFrom, type Rotation } from './rotation.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 168 * HOUR_MS;
const ms = (iso: string) => Date.parse(iso);
const weekly = (timezone: string, setAt: string, roster: (string | null)[] = ['a', 'b', 'c']): Rotation => ({
  active: true,
  timezone,
  mode: 'weekly',
  manualUserId: null,
  roster,
  rosterSetAtMs: ms(setAt),
  overrides: [],
});
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
const week = (timezone: string, at: string) => {
  const { fromMs, untilMs } = dutyAt(weekly(timezone, at), ms(at));
  return [iso(fromMs), iso(untilMs)];
};

test('the first member has the week in which the roster was set, from its Monday on, whatever the day', () => {
  for (const day of ['2026-03-02T00:00:00Z', '2026-03-05T12:00:00Z', '2026-03-08T23:59:59Z']) {
    const rotation = weekly('UTC', day);
    assert.deepEqual(dutyAt(rotation, ms(day)), {
      userId: 'a',
      source: 'rotation',
      place: 0,
      fromMs: ms('2026-03-02T00:00:00Z'),
      untilMs: ms('2026-03-09T00:00:00Z'),
    });
  }
});

test('members take turns in order, hand over on Monday at midnight, and start over', () => {
  const rotation = weekly('Europe/Berlin', '2026-01-07T10:00:00Z');
  const onDuty = (at: string) => dutyAt(rotation, ms(at)).userId;
  assert.equal(onDuty('2026-01-11T22:59:59.999Z'), 'a');
  assert.equal(onDuty('2026-01-11T23:00:00Z'), 'b');
  assert.equal(onDuty('2026-01-18T23:00:00Z'), 'c');
  assert.equal(onDuty('2026-01-25T23:00:00Z'), 'a');
  // Even with the clock set back to before the roster was set, somebody is on duty.
  assert.equal(onDuty('2026-01-04T22:59:59Z'), 'c');
});

test('Monday is the time zone’s Monday, for the first week too', () => {
  // Sunday evening in UTC is Monday in Auckland, and still Sunday in Honolulu.
  const at = '2026-06-07T20:00:00Z';
  assert.deepEqual(week('Pacific/Auckland', at), ['2026-06-07T12:00:00.000Z', '2026-06-14T12:00:00.000Z']);
  assert.deepEqual(week('Pacific/Honolulu', at), ['2026-06-01T10:00:00.000Z', '2026-06-08T10:00:00.000Z']);
});

test('daylight saving makes a week an hour shorter or longer, and moves no handover', () => {
  assert.deepEqual(week('Europe/Berlin', '2027-03-25T00:00:00Z'), [
    '2027-03-21T23:00:00.000Z',
    '2027-03-28T22:00:00.000Z',
  ]);
  assert.deepEqual(week('Europe/Berlin', '2027-10-28T00:00:00Z'), [
    '2027-10-24T22:00:00.000Z',
    '2027-10-31T23:00:00.000Z',
  ]);
});

test('a Monday without a midnight starts at its first moment, one with two midnights at the first', () => {
  for (const [zone, at, from] of [
    // No midnight: 00:00 became 01:00.
    ['Africa/Casablanca', '2009-06-03T12:00:00Z', '2009-06-01T00:00:00.000Z'],
    ['Asia/Damascus', '2002-04-03T12:00:00Z', '2002-03-31T22:00:00.000Z'],
    ['Asia/Tehran', '2021-03-24T12:00:00Z', '2021-03-21T20:30:00.000Z'],
    // Two: 01:00, or 02:00, became 00:00.
    ['Asia/Jerusalem', '2001-09-26T12:00:00Z', '2001-09-23T21:00:00.000Z'],
    ['Antarctica/Vostok', '2023-12-20T12:00:00Z', '2023-12-17T17:00:00.000Z'],
  ] as const)
    assert.deepEqual([zone, week(zone, at)[0]], [zone, from]);
  // In the repeated hour the new member stays on duty.
  const rotation = weekly('Asia/Jerusalem', '2001-09-19T00:00:00Z');
  for (const at of ['2001-09-23T21:00:00Z', '2001-09-23T21:30:00Z', '2001-09-23T22:30:00Z'])
    assert.equal(dutyAt(rotation, ms(at)).userId, 'b', at);
  assert.equal(dutyAt(rotation, ms('2001-09-23T20:59:59Z')).userId, 'a');
});

test('skipped midnights on other days, and skipped days, do not move the handovers', () => {
  const hours = (zone: string, at: string) => {
    const { fromMs, untilMs } = dutyAt(weekly(zone, at), ms(at));
    return [zone, ((untilMs ?? 0) - (fromMs ?? 0)) / HOUR_MS];
  };
  for (const [zone, at, long] of [
    ['America/Santiago', '2024-09-05T12:00:00Z', 167],
    ['America/Santiago', '2024-04-04T12:00:00Z', 169],
    ['Asia/Beirut', '2024-03-28T12:00:00Z', 167],
    ['Asia/Beirut', '2024-10-24T12:00:00Z', 169],
    ['Africa/Cairo', '2024-04-24T12:00:00Z', 167],
    ['Africa/Cairo', '2024-10-30T12:00:00Z', 169],
    ['America/Havana', '2024-03-07T12:00:00Z', 167],
    ['America/Havana', '2024-10-31T12:00:00Z', 169],
    ['Australia/Lord_Howe', '2024-04-04T12:00:00Z', 168.5],
    // 30 December 2011 is missing in Samoa, 21 August 1993 in Kwajalein.
    ['Pacific/Apia', '2011-12-28T12:00:00Z', 144],
    ['Pacific/Kwajalein', '1993-08-18T12:00:00Z', 144],
  ] as const)
    assert.deepEqual(hours(zone, at), [zone, long]);
});

test('nobody is on call if it is off, without a roster, without a person, or after a member has left', () => {
  const rotation = weekly('UTC', '2026-03-02T00:00:00Z');
  const gap = { userId: null, source: null, place: null, fromMs: null, untilMs: null };
  const at = ms('2026-03-04T00:00:00Z');
  assert.deepEqual(dutyAt({ ...rotation, active: false }, at), gap);
  assert.deepEqual(dutyAt({ ...rotation, roster: [] }, at), gap);
  assert.deepEqual(dutyAt({ ...rotation, rosterSetAtMs: null }, at), gap);
  assert.deepEqual(dutyAt({ ...rotation, mode: 'manual' }, at), gap);
  // Their week is a gap, and nobody else's week moves.
  const left = { ...rotation, roster: ['a', null, 'c'] };
  assert.deepEqual(
    periodsFrom(left, at, 4).map(({ userId, source }) => [userId, source]),
    [
      ['a', 'rotation'],
      [null, null],
      ['c', 'rotation'],
      ['a', 'rotation'],
    ],
  );
  assert.equal(dutyAt(left, at + WEEK_MS).untilMs, ms('2026-03-16T00:00:00Z'));
});

test('a person set by hand is on call indefinitely, whatever the roster says', () => {
  const rotation: Rotation = { ...weekly('UTC', '2026-03-02T00:00:00Z'), mode: 'manual', manualUserId: 'z' };
  const duty = { userId: 'z', source: 'manual', place: null, fromMs: null, untilMs: null };
  assert.deepEqual(periodsFrom(rotation, ms('2026-03-04T00:00:00Z'), 8), [duty]);
});

const over = (userId: string, from: string, until: string) => ({
  userId,
  fromMs: ms(from),
  untilMs: ms(until),
});
const inShort = (rotation: Rotation, at: string, weeks: number) =>
  periodsFrom(rotation, ms(at), weeks).map(({ userId, source, untilMs }) => [userId, source, iso(untilMs)]);

test('an override replaces the person on call, also across a handover; of overlapping ones the latest counts', () => {
  const rotation = {
    ...weekly('UTC', '2026-03-02T00:00:00Z'),
    overrides: [
      over('x', '2026-03-07T00:00:00Z', '2026-03-11T00:00:00Z'),
      over('y', '2026-03-08T00:00:00Z', '2026-03-10T00:00:00Z'),
    ],
  };
  assert.deepEqual(inShort(rotation, '2026-03-04T00:00:00Z', 3), [
    ['a', 'rotation', '2026-03-07T00:00:00.000Z'],
    ['x', 'override', '2026-03-08T00:00:00.000Z'],
    ['y', 'override', '2026-03-10T00:00:00.000Z'],
    ['x', 'override', '2026-03-11T00:00:00.000Z'],
    ['b', 'rotation', '2026-03-16T00:00:00.000Z'],
    ['c', 'rotation', '2026-03-23T00:00:00.000Z'],
  ]);
  // An older one behind a newer one splits nothing.
  const hidden = { ...rotation, overrides: [...rotation.overrides].reverse() };
  assert.deepEqual(inShort(hidden, '2026-03-07T00:00:00Z', 1)[0], [
    'x',
    'override',
    '2026-03-11T00:00:00.000Z',
  ]);
});

test('an override fills a gap and interrupts a person set by hand, but not while on-call is off', () => {
  const overrides = [over('x', '2026-03-07T00:00:00Z', '2026-03-08T00:00:00Z')];
  const manual: Rotation = {
    ...weekly('UTC', '2026-03-02T00:00:00Z'),
    mode: 'manual',
    manualUserId: 'z',
    overrides,
  };
  const periodsOf = (userId: string | null, source: string | null) => [
    [userId, source, '2026-03-07T00:00:00.000Z'],
    ['x', 'override', '2026-03-08T00:00:00.000Z'],
    [userId, source, null],
  ];
  assert.deepEqual(inShort(manual, '2026-03-04T00:00:00Z', 8), periodsOf('z', 'manual'));
  const empty = { ...manual, mode: 'weekly' as const, roster: [] };
  assert.deepEqual(inShort(empty, '2026-03-04T00:00:00Z', 8), periodsOf(null, null));
  assert.deepEqual(inShort({ ...manual, active: false }, '2026-03-07T12:00:00Z', 8), [[null, null, null]]);
});

test('with any overrides the shifts are contiguous, and each matches every instant in it', () => {
  const at = ms('2026-03-04T00:00:00Z');
  const one = fc.record({
    userId: fc.constantFrom('x', 'y'),
    fromMs: fc.integer({ min: -30, max: 60 }).map((hours) => at + hours * 6 * HOUR_MS),
    hours: fc.integer({ min: 1, max: 40 }),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 6 }), fc.nat(99), (given, share) => {
      const overrides = given.map(({ hours, ...rest }) => ({
        ...rest,
        untilMs: rest.fromMs + hours * 6 * HOUR_MS,
      }));
      const rotation = { ...weekly('UTC', '2026-03-02T00:00:00Z'), overrides };
      const periods = periodsFrom(rotation, at, 3);
      for (const [i, { fromMs, untilMs, userId, source }] of periods.entries()) {
        assert.ok(fromMs !== null && untilMs !== null && fromMs < untilMs);
        if (i > 0) assert.equal(fromMs, periods[i - 1]?.untilMs);
        const inside = fromMs + ((untilMs - fromMs) * share) / 100;
        const last = overrides.findLast((each) => each.fromMs <= inside && inside < each.untilMs);
        const turn = dutyAt({ ...rotation, overrides: [] }, inside);
        assert.deepEqual([userId, source], last ? [last.userId, 'override'] : [turn.userId, turn.source]);
      }
    }),
  );
});

/** The local wall clock, computed in another way than in the code under test. */
function wall(zone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  return (at) => format.format(at).replace(/[ ,]+/, ' ');
}

const ZONES = Intl.supportedValuesOf('timeZone');

test('in every zone, over every change of the clocks in two years: one handover a week, on Monday at midnight', () => {
  const start = ms('2026-01-07T10:00:00Z');
  for (const zone of ZONES) {
    const shows = wall(zone);
    const periods = periodsFrom(weekly(zone, '2026-01-07T10:00:00Z'), start, 105);
    for (const [i, { fromMs, untilMs, place }] of periods.entries()) {
      assert.ok(fromMs !== null && untilMs !== null);
      assert.equal(place, i % 3, zone);
      if (i > 0) assert.equal(fromMs, periods[i - 1]?.untilMs, zone);
      // No zone moves its clock on a Monday at midnight in these years: there is exactly one midnight.
      assert.deepEqual([zone, shows(fromMs), shows(fromMs - 1)], [zone, 'Mon 00:00:00', 'Sun 23:59:59']);
      // Two hours in Antarctica/Troll.
      assert.ok(Math.abs(untilMs - fromMs - WEEK_MS) <= 2 * HOUR_MS, zone);
    }
  }
});

test('at any moment since 1970, in any zone, exactly one week is current until it ends', () => {
  const instants = fc.integer({ min: 0, max: ms('2060-01-01T00:00:00Z') });
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      instants,
      instants,
      fc.integer({ min: 1, max: 9 }),
      (zone, set, at, n) => {
        const rotation = weekly(zone, new Date(set).toISOString(), [...'abcdefghi'.slice(0, n)]);
        const { fromMs, untilMs, userId, place } = dutyAt(rotation, at);
        assert.ok(fromMs !== null && untilMs !== null && place !== null);
        assert.ok(fromMs <= at && at < untilMs);
        for (const moment of [fromMs, untilMs - 1]) assert.equal(dutyAt(rotation, moment).userId, userId);
        assert.equal(dutyAt(rotation, untilMs).place, (place + 1) % n);
        assert.equal(dutyAt(rotation, fromMs - 1).place, (place + n - 1) % n);
        assert.equal(dutyAt(rotation, set).place, 0);
      },
    ),
    { numRuns: 2000 },
  );
});
