import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isScarce, minFreeBytes } from './disk-space.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

for (const [total, limit] of [
  [512 * MIB, 51.2 * MIB],
  [2.5 * GIB, 256 * MIB],
  [10 * GIB, 256 * MIB],
  [50 * GIB, GIB],
  [4096 * GIB, 2 * GIB],
] as const)
  test(`of ${total / GIB} GiB, ${limit / MIB} MiB are reserved`, () => {
    assert.equal(minFreeBytes(total), limit);
  });

test('a disk that was too full has enough space a quarter above the limit', () => {
  const at = (freeBytes: number, was: boolean) => isScarce({ freeBytes, totalBytes: 10 * GIB }, was);
  assert.deepEqual([at(256 * MIB, false), at(255 * MIB, false)], [false, true]);
  assert.deepEqual([at(319 * MIB, true), at(320 * MIB, true)], [true, false]);
});
