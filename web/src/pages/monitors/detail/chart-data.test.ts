import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Series } from '#src/series/contract.ts';
import { chartData, isolatedPoints } from './chart-data.ts';

function series(points: { at: number; avg: number | null; down?: number }[]): Series {
  return {
    range: '3h',
    from_unix: 600,
    to_unix: 1_200,
    bucket_seconds: 60,
    unit: 'ms',
    points: points.map(({ at, avg, down = 0 }) => ({
      bucket_unix: at,
      region: 'local',
      up: avg === null ? 0 : 1,
      down,
      degraded: 0,
      avg_ms: avg,
      max_ms: avg,
    })),
    stats: {
      checks: 0,
      uptime_pct: null,
      uptime_time_pct: null,
      avg_ms: null,
      p95_ms: null,
      coverage_pct: null,
    },
  };
}

test('every bucket of the range has its index', () => {
  assert.equal(chartData(series([{ at: 600, avg: 5 }]), 60).xs.length, 11);
});

test('the chart of a monitor younger than the range starts with it, and spans thirty buckets or more', () => {
  const young = (at: number) => chartData({ ...series([{ at, avg: 5 }]), from_unix: 0, to_unix: 6_000 }, 60);
  assert.equal(young(1_200).xs[0], 1_200);
  assert.deepEqual([young(5_940).xs[0], young(5_940).xs.length], [4_260, 30]);
});

test('without any check the chart spans the range', () => {
  assert.equal(chartData(series([]), 60).xs.length, 11);
});

test('only a value without neighbours is isolated', () => {
  assert.deepEqual(isolatedPoints([5, null, 6, undefined, 7, null, undefined, 8]), [0, 7]);
  assert.deepEqual(isolatedPoints([undefined, 5, undefined]), [1]);
});

test('the gaps of a long interval do not break the line', () => {
  const [line] = chartData(
    series([
      { at: 600, avg: 5 },
      { at: 900, avg: 6 },
    ]),
    300,
  ).lines;
  assert.deepEqual(line?.slice(0, 6), [5, undefined, undefined, undefined, undefined, 6]);
});

test('a real silence does', () => {
  const [line] = chartData(
    series([
      { at: 600, avg: 5 },
      { at: 1_140, avg: 6 },
    ]),
    60,
  ).lines;
  assert.deepEqual(line?.slice(0, 10), [5, null, null, null, null, null, null, null, null, 6]);
});

test('a bucket of failures alone is a gap and is counted', () => {
  const data = chartData(series([{ at: 660, avg: null, down: 3 }]), 60);
  assert.equal(data.lines[0]?.[1], null);
  assert.equal(data.down[1], 3);
});
