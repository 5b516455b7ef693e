import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DiskSpace } from '#src/domain/disk-space.ts';
import { createLog } from '../log.ts';
import { diskOf, makeDiskGuard, type ReadDisk } from './disk-guard.ts';

const MIB = 1024 * 1024;
const free = (mib: number): DiskSpace => ({ freeBytes: mib * MIB, totalBytes: 10_000 * MIB });

function guarded(read: ReadDisk | null) {
  let ms = 0;
  const lines: string[] = [];
  const log = createLog('warn', false, (line) => lines.push((JSON.parse(line) as { msg: string }).msg));
  const made = makeDiskGuard({ read, elapsedMs: () => ms, log });
  const pass = async (seconds: number) => {
    ms += seconds * 1_000;
    await made.readNow();
  };
  return { ...made, lines, pass };
}

test('a full-disk error of the database pauses results for 30 s, and is over after 60 s without another', async () => {
  const { guard, lines, pass } = guarded(null);
  guard.noteFull();
  guard.noteFull();
  assert.equal(lines.length, 1);
  await pass(29);
  assert.equal(guard.resultsPaused(), true);
  await pass(1);
  assert.deepEqual([guard.resultsPaused(), guard.databaseFull()], [false, true]);
  // Tried, and still full.
  guard.noteFull();
  assert.equal(guard.resultsPaused(), true);
  assert.equal(guard.pausedForMs(), 30_000, 'it began when it was first said');
  await pass(59);
  assert.deepEqual([guard.databaseFull(), lines.length], [true, 1]);
  await pass(1);
  assert.equal(guard.pausedForMs(), null);
  assert.deepEqual([guard.databaseFull(), guard.resultsPaused(), lines.length], [false, false, 2]);
  assert.equal(guard.freeBytes(), null);
});

test('low disk space pauses results, and pings are stored all the same', async () => {
  let space = free(200);
  const { guard, lines, readNow } = guarded(async () => space);
  await readNow();
  assert.deepEqual([guard.resultsPaused(), guard.databaseFull()], [true, false]);
  space = free(300);
  await readNow();
  assert.equal(guard.resultsPaused(), true, 'a little above the limit is not enough');
  space = free(400);
  await readNow();
  assert.deepEqual([guard.resultsPaused(), guard.freeBytes(), lines.length], [false, 400 * MIB, 2]);
});

test('if a disk can no longer be read its last state applies, and that is logged once', async () => {
  let broken = false;
  const { guard, lines, readNow } = guarded(() =>
    broken ? Promise.reject(new Error('EIO')) : Promise.resolve(free(100)),
  );
  await readNow();
  broken = true;
  await readNow();
  await readNow();
  assert.equal(guard.resultsPaused(), true);
  assert.deepEqual(lines.filter((line) => /cannot read the free space/.test(line)).length, 1);
});

test('the disk of a directory has free bytes, and not more than its size', async () => {
  const { freeBytes, totalBytes } = await diskOf(import.meta.dirname)();
  assert.ok(freeBytes > 0 && freeBytes <= totalBytes);
});
