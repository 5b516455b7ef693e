import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Series } from '#src/series/contract.ts';
import { countsAt, linesOf } from './lines.ts';
import { WEEK_SECONDS } from './span.ts';

const START = 2 * WEEK_SECONDS;
type Share = NonNullable<Series['percentiles']>[number];

function series(more: Partial<Series>): Series {
  const stats = {
    checks: 0,
    uptime_pct: null,
    uptime_time_pct: null,
    avg_ms: null,
    p95_ms: null,
    coverage_pct: null,
  };
  return {
    ...{
      range: 'custom',
      from_unix: START,
      to_unix: START + 600,
      bucket_seconds: 60,
      unit: 'ms',
      points: [],
      stats,
    },
    ...more,
  };
}
const point = (at: number, region: string, avg: number, down = 0): Series['points'][number] => ({
  ...{ bucket_unix: at, region, up: 3, degraded: 0, down, avg_ms: avg, max_ms: avg },
});
const share = (bucket_unix: number, value: number): Share => ({
  ...{ bucket_unix, avg_ms: value, p50_ms: value - 1, p95_ms: value + 5, p99_ms: value + 9 },
});
const own = series({
  points: [point(START, 'a', 10), point(START, 'b', 20, 1), point(START + 60, 'a', 11)],
  percentiles: [share(START, 15), share(START + 60, 11)],
});

test('the lines of regions span the whole range, including the part before the first check', () => {
  const late = series({ points: [point(START + 540, 'a', 10)] });
  const { xs, regions } = linesOf(late, 60, { percentiles: false, before: undefined });
  assert.deepEqual([xs.length, xs[0], regions], [10, START, ['a']]);
});

test('percentiles are three lines, and the failed checks are those of all regions', () => {
  const data = linesOf(own, 60, { percentiles: true, before: undefined });
  assert.deepEqual(data.regions, ['p50', 'p95', 'p99']);
  assert.deepEqual(
    data.lines.map((line) => line.slice(0, 3)),
    [
      [14, 10, undefined],
      [20, 16, undefined],
      [24, 20, undefined],
    ],
  );
  assert.deepEqual(countsAt(data, 0), { up: 6, down: 1, degraded: 0 });
  assert.deepEqual(data.failed.slice(0, 2), [1 / 7, 0]);
});

test('failed checks are counted where no check was answered, so that no percentile is known', () => {
  const dead = { ...point(START + 60, 'a', 0, 4), up: 0, avg_ms: null, max_ms: null };
  for (const none of [
    [],
    [{ ...share(START + 60, 0), avg_ms: null, p50_ms: null, p95_ms: null, p99_ms: null }],
  ]) {
    const down = series({ points: [point(START, 'a', 10), dead], percentiles: [share(START, 10), ...none] });
    const data = linesOf(down, 60, { percentiles: true, before: undefined });
    assert.deepEqual(countsAt(data, 1), { up: 0, down: 4, degraded: 0 });
    assert.equal(data.buckets[0]?.[1]?.avg, null);
    assert.equal(data.buckets[1]?.[1], undefined);
    assert.deepEqual(countsAt(data, 2), { up: 0, down: 0, degraded: 0 });
    assert.equal(data.buckets[0]?.[2], undefined);
  }
});

for (const [percentiles, values] of [
  [false, [30, undefined, 32]],
  [true, [35, undefined, 37]],
] as const)
  test(`the week before is aligned to the same times, ${percentiles ? 'as p95' : 'as the average of all regions'}`, () => {
    const before = series({
      ...{ from_unix: START - WEEK_SECONDS, to_unix: START - WEEK_SECONDS + 600 },
      percentiles: [share(START - WEEK_SECONDS, 30), share(START - WEEK_SECONDS + 120, 32)],
    });
    assert.deepEqual(linesOf(own, 60, { percentiles, before }).compared?.slice(0, 3), values);
  });

test('a week before with longer buckets has a value where each of them starts', () => {
  const before = series({
    ...{ from_unix: START - WEEK_SECONDS, to_unix: START - WEEK_SECONDS + 600, bucket_seconds: 300 },
    percentiles: [share(START - WEEK_SECONDS, 30), share(START - WEEK_SECONDS + 300, 40)],
  });
  const compared = linesOf(own, 60, { percentiles: false, before }).compared;
  assert.deepEqual([compared?.[0], compared?.[4], compared?.[5], compared?.length], [30, undefined, 40, 10]);
});
