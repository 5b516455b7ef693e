import assert from 'node:assert/strict';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Result } from '../src/probe-protocol/contract.ts';
import { openSpool, type Spool } from './spool.ts';
import { rewriteSegment } from './spool-segment.ts';

const result = (n: number, status: Result['status'] = 'up'): Result => ({
  monitor_id: `mon_${n}`,
  checked_at_ms: n,
  status,
});

async function directory(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'spool-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  return join(dir, 'spool');
}

const said: string[] = [];
let nowMs = 0;
const log = (_: string, message: string) => void said.push(message);

async function drain(spool: Spool): Promise<number[]> {
  const seen: number[] = [];
  for (let batch = await spool.oldest(); batch; batch = await spool.oldest()) {
    seen.push(...batch.results.map(({ checked_at_ms }) => checked_at_ms));
    await batch.done();
  }
  return seen;
}

test('results are read oldest first, and sent ones leave nothing behind', async (t) => {
  const dir = await directory(t);
  const spool = await openSpool({ dir, log, segmentResults: 2, nowMs: () => nowMs });
  assert.equal(spool.empty, true);
  await spool.append([result(1), result(2), result(3)]);
  await spool.append([result(4)]);
  assert.equal(spool.empty, false);
  assert.deepEqual(await drain(spool), [1, 2, 3, 4]);
  assert.deepEqual([spool.empty, await readdir(dir)], [true, []]);
});

test('after a restart unsent results precede new ones', async (t) => {
  const dir = await directory(t);
  await (await openSpool({ dir, log, nowMs: () => nowMs })).append([result(1), result(2)]);
  const again = await openSpool({ dir, log, nowMs: () => nowMs });
  assert.equal(again.empty, false);
  await again.append([result(3)]);
  assert.deepEqual(await drain(again), [1, 2, 3]);
});

test('results appended while the oldest are being sent are not lost', async (t) => {
  const spool = await openSpool({ dir: await directory(t), log, nowMs: () => nowMs });
  await spool.append([result(1)]);
  const batch = await spool.oldest();
  await spool.append([result(2)]);
  await batch?.done();
  assert.deepEqual(await drain(spool), [2]);
});

test('a truncated last record and a damaged one are skipped, the rest is delivered', async (t) => {
  const dir = await directory(t);
  await (await openSpool({ dir, log, nowMs: () => nowMs })).append([result(1), result(2), result(3)]);
  const path = join(dir, (await readdir(dir))[0] ?? '');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"mon_2"', '"mon_9"'));
  await truncate(path, text.length - 10);
  await appendFile(join(dir, 'stray.txt'), 'not ours');
  assert.deepEqual(await drain(await openSpool({ dir, log, nowMs: () => nowMs })), [1]);
  assert.ok(said.some((line) => /Damaged records/.test(line)));
});

test('a full spool drops the oldest passed results first, and keeps failures', async (t) => {
  const dir = await directory(t);
  const spool = await openSpool({ dir, log, segmentResults: 10, maxBytes: 6_000, nowMs: () => nowMs });
  for (let n = 0; n < 200; n += 1) await spool.append([result(n, n % 10 === 0 ? 'down' : 'up')]);
  const kept = await drain(spool);
  assert.ok(kept.length < 200);
  for (let n = 0; n < 200; n += 10) assert.ok(kept.includes(n), `failure ${n} was kept`);
  assert.ok(kept.includes(199), 'the newest passed result was kept');
  assert.ok(!kept.includes(1), 'the oldest passed result was not');
});

test('if failures alone are too many, the oldest of them are dropped', async (t) => {
  const spool = await openSpool({
    dir: await directory(t),
    log,
    segmentResults: 10,
    maxBytes: 3_000,
    nowMs: () => nowMs,
  });
  for (let n = 0; n < 200; n += 1) await spool.append([result(n, 'down')]);
  const kept = await drain(spool);
  assert.ok(kept.length > 10 && kept.length < 200);
  assert.equal(kept.at(-1), 199);
});

test('while its directory is gone, the results stay in memory', async (t) => {
  const dir = await directory(t);
  const spool = await openSpool({ dir, log, nowMs: () => nowMs });
  await rm(dir, { recursive: true });
  await spool.append([result(1, 'down')]);
  assert.equal(spool.empty, false);
  assert.ok(said.some((line) => /cannot be written/.test(line)));
  assert.deepEqual(await drain(spool), [1]);
});

test('nothing is written to a nearly full disk; results stay in memory until there is space', async (t) => {
  const dir = await directory(t);
  let freeBytes = 15_000_000;
  const readDisk = async () => ({ freeBytes, totalBytes: 400_000_000 });
  const spool = await openSpool({ dir, log, readDisk, nowMs: () => nowMs });
  await spool.append([result(1)]);
  assert.deepEqual([spool.empty, await readdir(dir)], [false, []]);
  freeBytes = 25_000_000;
  await spool.append([result(2)]);
  assert.equal((await readdir(dir)).length, 1);
  freeBytes = 15_000_000;
  await spool.append([result(3)]);
  assert.deepEqual(await drain(spool), [1, 2, 3]);
});

test('a target’s response is not written to disk', async (t) => {
  const dir = await directory(t);
  const spool = await openSpool({ dir, log, nowMs: () => nowMs });
  const response_excerpt = {
    ...{ status_code: 500, headers: [], body: 'inside', body_kind: 'text' as const },
    ...{ truncated: false, withheld: false, private: false },
  };
  await spool.append([{ ...result(1, 'down'), response_excerpt }]);
  const files = await Promise.all((await readdir(dir)).map((name) => readFile(join(dir, name), 'utf8')));
  assert.match(files.join(''), /mon_1/);
  assert.doesNotMatch(files.join(''), /inside/);
  assert.deepEqual((await spool.oldest())?.results, [result(1, 'down')]);
});

test('a file that cannot be read now is kept, holds up no other, and is sent once it can be read', async (t) => {
  const dir = await directory(t);
  const spool = await openSpool({ dir, log, segmentResults: 1, nowMs: () => nowMs });
  await spool.append([result(1, 'down'), result(2)]);
  const [first = ''] = await readdir(dir);
  // A folder in its place fails to be read for any user, as a file does on a disk with errors.
  await rename(join(dir, first), join(dir, 'aside'));
  await mkdir(join(dir, first));
  said.length = 0;
  assert.deepEqual(await drain(spool), [2]);
  assert.equal(spool.empty, true, 'new results need not pass through the disk meanwhile');
  nowMs += 60_000;
  assert.equal(spool.empty, false);
  assert.deepEqual(await drain(spool), []);
  assert.equal(said.filter((line) => /cannot be read/.test(line)).length, 1, 'said once');
  await rmdir(join(dir, first));
  await rename(join(dir, 'aside'), join(dir, first));
  assert.equal(spool.againAtMs, nowMs + 60_000);
  nowMs += 60_000;
  assert.deepEqual(await drain(spool), [1]);
  assert.deepEqual([spool.empty, spool.againAtMs, await readdir(dir)], [true, undefined, []]);
});

test('what a full spool cannot read does not keep new results from being written', async (t) => {
  const dir = await directory(t);
  const spool = await openSpool({ dir, log, segmentResults: 10, maxBytes: 3_000, nowMs: () => nowMs });
  await spool.append(Array.from({ length: 10 }, (_, n) => result(n)));
  const [first = ''] = await readdir(dir);
  await rm(join(dir, first));
  await mkdir(join(dir, first));
  said.length = 0;
  for (let n = 10; n < 100; n += 1) await spool.append([result(n)]);
  assert.equal(said.filter((line) => /cannot be written/.test(line)).length, 0);
  assert.ok((await drain(spool)).includes(99));
});

test('a disk that takes nothing is left without a file per attempt, and the log says what was dropped', async (t) => {
  const dir = await directory(t);
  const spool = await openSpool({ dir, log, nowMs: () => nowMs });
  // Folders in their places: the next files can be created no more than on a full disk.
  for (let n = 1; n <= 3; n += 1) await mkdir(join(dir, `${String(n).padStart(12, '0')}.results`));
  said.length = 0;
  await spool.append([result(0, 'down')]);
  await spool.append(Array.from({ length: 19_999 }, (_, n) => result(n + 1)));
  assert.equal(said.filter((line) => /are dropped/.test(line)).length, 0);
  await spool.append([result(20_000), result(20_001)]);
  assert.deepEqual(said, [
    'Results cannot be written to the spool; the newest are kept in memory',
    'Results are dropped: neither the spool nor the memory has room for more',
  ]);
  assert.equal((await spool.oldest())?.results.length, 5_000);
  assert.equal(
    said.filter((line) => /cannot be read/.test(line)).length,
    0,
    'what took nothing is no file of it',
  );
  await spool.append([result(20_002)]);
  assert.equal(said.at(-1), 'Results can be written to the spool again');
  const kept = await drain(spool);
  assert.equal(kept.length, 20_001);
  assert.deepEqual(kept.slice(0, 2), [0, 3]);
});

test('what a crash left half rewritten is removed at the next start, and the whole file is sent', async (t) => {
  const dir = await directory(t);
  await (await openSpool({ dir, log, nowMs: () => nowMs })).append([result(1, 'down'), result(2)]);
  const [file = ''] = await readdir(dir);
  await writeFile(join(dir, `${file}.new`), 'half a li');
  const again = await openSpool({ dir, log, nowMs: () => nowMs });
  assert.deepEqual(await readdir(dir), [file]);
  assert.deepEqual(await drain(again), [1, 2]);
});

test('a rewrite that fails leaves nothing behind', async (t) => {
  const dir = await directory(t);
  const path = join(dir, '000000000001.results');
  // No file can take the place of a folder.
  await mkdir(path, { recursive: true });
  await assert.rejects(rewriteSegment(path, [result(1)]));
  assert.deepEqual(await readdir(dir), ['000000000001.results']);
});
