import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adjacentTile } from './tile-navigation.ts';

// Two rows of three and one of two.
const TOPS = [0, 0, 0, 20, 20, 20, 40, 40];

test('arrows move through the field by rows and columns, and stop at its edges', () => {
  const table: [string, number, number | null][] = [
    ['ArrowRight', 2, 3],
    ['ArrowRight', 7, null],
    ['ArrowLeft', 3, 2],
    ['ArrowLeft', 0, null],
    ['ArrowDown', 1, 4],
    ['ArrowDown', 5, 7],
    ['ArrowDown', 6, null],
    ['ArrowUp', 4, 1],
    ['ArrowUp', 1, null],
    ['Home', 5, 0],
    ['End', 0, 7],
    ['a', 0, null],
  ];
  for (const [key, at, to] of table) assert.equal(adjacentTile(key, at, TOPS), to, `${key} from ${at}`);
});
