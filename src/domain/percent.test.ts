import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutPercent } from './percent.ts';

test('a percentage is truncated, never rounded up to 100 %', () => {
  const cases: [number, number, number][] = [
    [100, 100, 1],
    [99.9999, 99.999, 3],
    [99.99999999, 99.999, 3],
    [99.1, 99.1, 2],
    [99.989, 99.989, 3],
    [99.899, 99.89, 2],
    [98.98, 98.9, 1],
    [0, 0, 1],
  ];
  for (const [value, cut, digits] of cases) assert.deepEqual(cutPercent(value), { value: cut, digits });
});
