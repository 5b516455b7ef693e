import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Evidence } from '#src/incidents/contract.ts';
import { timelinesOf } from './region-timelines.ts';

const check = (region: string, at: number, status = 'down') => ({
  check_id: `${region}${at}`,
  checked_at_unix: at,
  region,
  status,
  cause_layer: null,
  detail: null,
  latency_ms: null,
  response_code: null,
});
const evidence = (checks: unknown[]) =>
  ({
    first_failure_at_unix: 1_000,
    confirmed_outage_since_unix: 1_060,
    triggered_at_unix: 1_100,
    checks,
  }) as unknown as Evidence;

test('regions are in the order in which they failed, those that passed come last', () => {
  const { timelines } = timelinesOf(
    evidence([check('sgp', 1_050, 'up'), check('nyc', 1_060), check('fra', 1_000), check('fra', 1_030)]),
  );
  assert.deepEqual(
    timelines.map(({ region, failed, total }) => [region, failed, total]),
    [
      ['fra', 2, 2],
      ['nyc', 1, 1],
      ['sgp', 0, 1],
    ],
  );
});

test('the axis starts a little before the first failure and ends with the opening', () => {
  const { firstAt, confirmedAt, openedAt } = timelinesOf(evidence([check('fra', 1_000)]));
  assert.ok(firstAt > 0.1 && firstAt < 0.25);
  assert.ok(confirmedAt > firstAt && confirmedAt < openedAt);
  assert.equal(openedAt, 1);
});

test('of the checks before the axis only the newest is shown, at its edge', () => {
  const [timeline] = timelinesOf(
    evidence([check('fra', 10, 'up'), check('fra', 20, 'up'), check('fra', 1_000)]),
  ).timelines;
  assert.deepEqual(
    timeline?.marks.map(({ at, before, check: { checked_at_unix } }) => [at === 0, before, checked_at_unix]),
    [
      [true, true, 20],
      [false, false, 1_000],
    ],
  );
});

test('a failure, its confirmation and the opening in one second still give an axis', () => {
  const at = { first_failure_at_unix: 5, confirmed_outage_since_unix: 5, triggered_at_unix: 5 };
  const { openedAt, timelines } = timelinesOf({ ...evidence([check('', 5)]), ...at });
  assert.equal(openedAt, 1);
  assert.equal(timelines[0]?.marks[0]?.at, 1);
});
