import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cronInstants, dueAfter, EARLY_MS, expectedInstants } from './heartbeat-schedule.ts';

const at = (text: string) => Date.parse(`${text}Z`);
const shown = (instants: readonly number[]) => instants.map((ms) => new Date(ms).toISOString().slice(0, 16));

type Case = { name: string; expression: string; zone: string; after: string; expected: string[] };

const CASES: Case[] = [
  {
    name: 'a nightly job stays at its time on the wall over both changes',
    expression: '0 4 * * *',
    zone: 'Europe/Berlin',
    after: '2027-03-27T00:00',
    expected: ['2027-03-27T03:00', '2027-03-28T02:00', '2027-03-29T02:00'],
  },
  {
    name: 'a time that is skipped comes at the jump',
    expression: '30 2 * * *',
    zone: 'Europe/Berlin',
    after: '2027-03-27T00:00',
    expected: ['2027-03-27T01:30', '2027-03-28T01:00', '2027-03-29T00:30'],
  },
  {
    name: 'several skipped times come at the jump once',
    expression: '*/20 2 * * *',
    zone: 'Europe/Berlin',
    after: '2027-03-27T23:00',
    expected: ['2027-03-28T01:00', '2027-03-29T00:00', '2027-03-29T00:20'],
  },
  {
    name: 'a skipped time beside one at the jump is that one',
    expression: '0,30 2,3 * * *',
    zone: 'Europe/Berlin',
    after: '2027-03-27T23:00',
    expected: ['2027-03-28T01:00', '2027-03-28T01:30', '2027-03-29T00:00'],
  },
  {
    name: 'a skipped date comes at the jump of that date only',
    expression: '30 2 28 3 *',
    zone: 'Europe/Berlin',
    after: '2027-03-01T00:00',
    expected: ['2027-03-28T01:00', '2028-03-28T00:30'],
  },
  {
    name: 'a doubled time counts the first time',
    expression: '30 2 * * *',
    zone: 'Europe/Berlin',
    after: '2027-10-30T00:45',
    expected: ['2027-10-31T00:30', '2027-11-01T01:30'],
  },
  {
    name: 'doubled times of a list or of steps count the first time too',
    expression: '*/30 1-3 * * *',
    zone: 'Europe/Berlin',
    after: '2027-10-30T23:15',
    expected: [
      '2027-10-30T23:30',
      '2027-10-31T00:00',
      '2027-10-31T00:30',
      '2027-10-31T02:00',
      '2027-10-31T02:30',
    ],
  },
  {
    name: 'asked in the second of two equal hours, the times of that hour are over',
    expression: '*/15 * * * *',
    zone: 'Europe/Berlin',
    after: '2027-10-31T01:10',
    expected: ['2027-10-31T02:00', '2027-10-31T02:15'],
  },
  {
    name: 'Brazil has no change any more',
    expression: '0 0 * * *',
    zone: 'America/Sao_Paulo',
    after: '2027-02-20T12:00',
    expected: ['2027-02-21T03:00', '2027-02-22T03:00'],
  },
  {
    name: 'where midnight itself was skipped, the day began at one',
    expression: '0 0 * * *',
    zone: 'America/Sao_Paulo',
    after: '2018-11-03T12:00',
    expected: ['2018-11-04T03:00', '2018-11-05T02:00'],
  },
  {
    name: 'an island that jumps by half an hour: forward',
    expression: '15 2 * * *',
    zone: 'Australia/Lord_Howe',
    after: '2027-10-01T16:00',
    expected: ['2027-10-02T15:30', '2027-10-03T15:15'],
  },
  {
    name: 'an island that jumps by half an hour: back',
    expression: '45 1 * * *',
    zone: 'Australia/Lord_Howe',
    after: '2027-04-02T15:00',
    expected: ['2027-04-03T14:45', '2027-04-04T15:15'],
  },
  {
    name: 'Samoa keeps its time all year',
    expression: '0 12 1 * *',
    zone: 'Pacific/Apia',
    after: '2027-03-15T00:00',
    expected: ['2027-03-31T23:00', '2027-04-30T23:00'],
  },
  {
    name: 'the day that Samoa skipped comes at the jump',
    expression: '0 12 * * *',
    zone: 'Pacific/Apia',
    after: '2011-12-29T12:00',
    expected: ['2011-12-29T22:00', '2011-12-30T10:00', '2011-12-30T22:00'],
  },
  {
    name: 'day of month and day of week are either',
    expression: '0 0 13 * 5',
    zone: 'UTC',
    after: '2027-08-10T00:00',
    expected: ['2027-08-13T00:00', '2027-08-20T00:00'],
  },
  {
    name: 'a leap day is waited for',
    expression: '0 0 29 2 *',
    zone: 'UTC',
    after: '2027-01-01T00:00',
    expected: ['2028-02-29T00:00', '2032-02-29T00:00'],
  },
];

describe('instants of a cron schedule', () => {
  for (const { name, expression, zone, after, expected } of CASES)
    test(name, () => {
      const found = cronInstants({ expression, timezone: zone }, at(after), expected.length);
      assert.deepEqual(shown(found), expected);
    });

  test('ascend, follow the given instant, and continue where they stopped', () => {
    const zone = fc.constantFrom(
      'Europe/Berlin',
      'America/Sao_Paulo',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'UTC',
    );
    const minute = fc.constantFrom('0', '*/20', '15,45', '*', '59');
    const hour = fc.constantFrom('*', '2', '1-3', '*/6', '0');
    const after = fc.integer({ min: at('2026-01-01T00:00'), max: at('2029-01-01T00:00') });
    fc.assert(
      fc.property(zone, minute, hour, after, (timezone, m, h, afterMs) => {
        const cron = { expression: `${m} ${h} * * *`, timezone };
        const found = cronInstants(cron, afterMs, 6);
        assert.equal(found.length, 6);
        assert.ok(found.every((ms, i) => ms > (found[i - 1] ?? afterMs)));
        assert.deepEqual(cronInstants(cron, found[2] ?? 0, 3), found.slice(3));
      }),
      { numRuns: 60 },
    );
  });
});

describe('when the next ping is due', () => {
  test('a period after the one before', () => {
    assert.equal(dueAfter({ kind: 'period', period_seconds: 90 }, 1_000_000), 1_090_000);
  });

  test('at the next cron time, whenever the previous ping came', () => {
    const cron = { kind: 'cron', expression: '0 3 * * *', timezone: 'UTC' } as const;
    for (const beat of ['2027-05-01T03:00:05', '2027-05-01T14:00:00', '2027-05-02T02:59:00'])
      assert.equal(dueAfter(cron, at(beat)), at('2027-05-02T03:00'), beat);
  });

  test('a clock slightly ahead of ours does not make a job early for its own time', () => {
    const cron = { kind: 'cron', expression: '0 3 * * *', timezone: 'UTC' } as const;
    assert.equal(dueAfter(cron, at('2027-05-01T03:00') - EARLY_MS), at('2027-05-02T03:00'));
  });

  test('never, if the expression never matches', () => {
    assert.equal(dueAfter({ kind: 'cron', expression: '0 0 30 2 *', timezone: 'UTC' }, 0), null);
  });
});

describe('the next expected pings', () => {
  const period = { kind: 'period', period_seconds: 60 } as const;
  test('nothing before the first ping of a period', () => {
    assert.deepEqual(expectedInstants(period, null, 0, 5), []);
  });
  test('the awaited ping and those after it', () => {
    assert.deepEqual(expectedInstants(period, 100_000, 50_000, 3), [100_000, 160_000, 220_000]);
  });
  test('no past instant, if the expected ping did not come', () => {
    assert.deepEqual(expectedInstants(period, 100_000, 220_000, 2), [280_000, 340_000]);
  });
  test('the cron times from the awaited one on', () => {
    const cron = { kind: 'cron', expression: '0 * * * *', timezone: 'UTC' } as const;
    assert.deepEqual(expectedInstants(cron, at('2027-05-01T05:00'), at('2027-05-01T03:30'), 2), [
      at('2027-05-01T05:00'),
      at('2027-05-01T06:00'),
    ]);
  });
});
