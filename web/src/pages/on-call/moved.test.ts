import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moved } from './moved.ts';

test('an item moves to another place and the others keep their order', () => {
  const cases: [number, number, string][] = [
    [0, 1, 'bacd'],
    [0, 3, 'bcda'],
    [3, 0, 'dabc'],
    [2, 2, 'abcd'],
    [0, -1, 'abcd'],
    [3, 4, 'abcd'],
    [9, 0, 'abcd'],
  ];
  for (const [from, to, expected] of cases) assert.equal(moved([...'abcd'], from, to).join(''), expected);
});
