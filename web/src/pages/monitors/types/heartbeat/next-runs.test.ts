import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cronInstants } from '#src/domain/heartbeat-schedule.ts';
import { nextRuns } from './next-runs.ts';

const at = (text: string) => Date.parse(text) / 1_000;

test('the preview names the runs of the server where clocks change', () => {
  const seen = (expression: string, from: string) =>
    nextRuns(expression, 'Europe/Berlin', 3, at(from)).map((unix) =>
      new Date(unix * 1_000).toISOString().slice(0, 16),
    );
  assert.deepEqual(seen('*/20 2 * * *', '2027-03-27T23:00Z'), [
    '2027-03-28T01:00',
    '2027-03-29T00:00',
    '2027-03-29T00:20',
  ]);
  assert.deepEqual(seen('0,30 2 * * *', '2027-10-30T23:00Z'), [
    '2027-10-31T00:00',
    '2027-10-31T00:30',
    '2027-11-01T01:00',
  ]);
});

test('it does so in every zone, at any time', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'];
  const lines = ['*/20 * * * *', '15,45 1-3 * * *', '0 0 * * 0', '30 2 28-31 * *', '5 */6 1 * *'];
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom(...lines),
      fc.integer({ min: at('2026-01-01T00:00Z'), max: at('2028-01-01T00:00Z') }),
      (zone, expression, from) =>
        assert.deepEqual(
          nextRuns(expression, zone, 5, from),
          cronInstants({ expression, timezone: zone }, from * 1_000, 5).map((ms) => ms / 1_000),
        ),
    ),
  );
});

test('a line or a zone that is none has no runs', () => {
  assert.deepEqual(nextRuns('0 3 * *', 'UTC', 5, 0), []);
  assert.deepEqual(nextRuns('0 3 * * *', 'Nowhere/Town', 5, 0), []);
});
