import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentSeries } from '#src/agents/contract.ts';
import { metricsData } from './metrics-data.ts';

const series = (...values: [at: number, value: number][]): AgentSeries => ({
  ...{ metric: 'load1', unit: 'load', range: '3h', from_unix: 0, to_unix: 240, bucket_seconds: 60 },
  points: values.map(([at, value]) => ({ bucket_unix: at, count: 1, avg: value, max: value })),
  stats: { count: values.length, avg: null, max: null },
});

test('each series is a line, in the given order, and one without points is empty', () => {
  const data = metricsData([series([0, 1]), series(), series([60, 3])], ['1', '5', '15']);
  assert.deepEqual(data.regions, ['1', '5', '15']);
  assert.deepEqual(
    data.lines.map((line) => line.slice(0, 2)),
    [
      [1, undefined],
      [undefined, undefined],
      [undefined, 3],
    ],
  );
});

test('silence longer than a host’s allowance is a gap', () => {
  const [line] = metricsData([series([0, 1], [240, 2])], ['']).lines;
  assert.deepEqual(line, [1, undefined, undefined, undefined, 2]);
  const longer = { ...series([0, 1], [300, 2]), to_unix: 300 };
  assert.deepEqual(metricsData([longer], ['']).lines[0]?.slice(1, -1), [null, null, null, null]);
});
