import assert from 'node:assert/strict';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { agentFolder } from '#test/harness/agent-folder.ts';
import { type Buffer, openBuffer } from './buffer.ts';
import type { Entry } from './heartbeat.ts';

const entry = (atMs: number): Entry => ({
  moment: { boot: 'b', steadyMs: atMs, wallMs: atMs },
  atMs,
  beat: { agent_version: '1', modules: ['cpu'], readings: { cpu_pct: atMs } },
});

function bufferAt(dir: string, options: Partial<Parameters<typeof openBuffer>[0]> = {}) {
  const said: string[] = [];
  const log = (_: string, message: string) => void said.push(message);
  const buffer = openBuffer({ dir, log, ...options });
  return {
    ...{ buffer, said },
    keep: (...times: number[]) => {
      for (const ms of times) {
        buffer.add(entry(ms));
        buffer.save();
      }
    },
    times: (most = 100_000) => [...buffer.oldest()].slice(0, most).map((kept) => kept.entry.atMs),
  };
}
const noOf = (buffer: Buffer, most: number) => [...buffer.oldest()].slice(0, most).at(-1)!.no;
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

test('a day of heartbeats survives a restart, oldest first, and is deleted as it is sent', async () => {
  const dir = await agentFolder();
  bufferAt(dir).keep(...range(1, 1_440));
  const { buffer, times, keep } = bufferAt(dir);
  assert.equal(buffer.size, 1_440);
  keep(1_441);
  assert.deepEqual(times(3), [1, 2, 3]);
  buffer.dropThrough(noOf(buffer, 500));
  assert.deepEqual(times(), range(501, 1_441));
  assert.deepEqual(bufferAt(dir).times(), range(501, 1_441));
  buffer.dropThrough(noOf(buffer, 9_999));
  assert.equal(buffer.size, 0);
  assert.deepEqual(readdirSync(dir), []);
});

test('a kill at any byte loses at most the heartbeat being written', async () => {
  const dir = await agentFolder();
  bufferAt(dir).keep(1, 2, 3);
  const [name = ''] = readdirSync(dir);
  const whole = readFileSync(join(dir, name));
  const ends = [...whole.entries()].filter(([, byte]) => byte === 10).map(([at]) => at);
  for (let bytes = 0; bytes <= whole.length; bytes++) {
    rmSync(dir, { recursive: true });
    mkdirSync(dir);
    writeFileSync(join(dir, name), whole.subarray(0, bytes));
    const { times, keep } = bufferAt(dir);
    // A line is complete before its line end is written.
    const known = range(1, 3).slice(0, ends.filter((end) => end <= bytes).length);
    assert.deepEqual(times(), known, `after ${bytes} bytes`);
    keep(4);
    assert.deepEqual(bufferAt(dir).times(), [...known, 4]);
  }
});

test('a full buffer drops the oldest heartbeats first, and says so', async () => {
  const dir = await agentFolder();
  const { buffer, keep, times, said } = bufferAt(dir, { maxEntries: 25, segmentEntries: 10 });
  keep(...range(1, 40));
  assert.deepEqual(times(), range(21, 40));
  assert.equal(buffer.size, 20);
  assert.ok(said.includes('The buffer is full: the oldest heartbeats were dropped'));
  const small = bufferAt(await agentFolder(), { maxBytes: 1_000, segmentEntries: 2 });
  small.keep(...range(1, 40));
  assert.ok(small.buffer.size > 0 && small.buffer.size < 10);
  assert.equal(small.times().at(-1), 40);
});

test('heartbeats dropped while they are being sent are not confused with new ones', async () => {
  const dir = await agentFolder();
  const { buffer, keep, times } = bufferAt(dir, { maxEntries: 20, segmentEntries: 10 });
  keep(...range(1, 20));
  const sent = noOf(buffer, 15);
  keep(...range(21, 30));
  buffer.dropThrough(sent);
  assert.deepEqual(times(), range(16, 30));
});

test('without a disk the newest heartbeats stay in memory, a message says so once, and they are written when it is back', async () => {
  const dir = join(await agentFolder(), 'buffer');
  writeFileSync(dir, 'a file, and no folder');
  const { buffer, keep, times, said } = bufferAt(dir, { maxUnwritten: 5 });
  for (const ms of range(1, 9)) keep(ms);
  assert.deepEqual(times(), range(5, 9));
  assert.equal(said.length, 1);
  buffer.dropThrough(noOf(buffer, 2));
  rmSync(dir);
  keep(10);
  assert.deepEqual(bufferAt(dir).times(), range(7, 10));
  assert.equal(said.at(-1), 'Heartbeats can be buffered on disk again');
});

test('removing or truncating a file at run time loses only its own heartbeats', async () => {
  const dir = await agentFolder();
  const { buffer, keep, times, said } = bufferAt(dir, { segmentEntries: 10 });
  keep(...range(1, 25));
  const [first = '', second = '', third = ''] = readdirSync(dir);
  rmSync(join(dir, first));
  const lines = readFileSync(join(dir, second), 'utf8').split('\n');
  writeFileSync(join(dir, second), lines.slice(0, 4).join('\n'));
  assert.deepEqual(times(), [...range(11, 14), ...range(21, 25)]);
  assert.equal(buffer.size, 9);
  buffer.dropThrough(noOf(buffer, 6));
  rmSync(join(dir, third));
  keep(26);
  assert.deepEqual([times(), buffer.size], [[26], 1]);
  rmSync(dir, { recursive: true });
  assert.deepEqual([times(), buffer.size], [[], 0]);
  keep(27);
  assert.deepEqual(times(), [27]);
  assert.equal(said.filter((sentence) => sentence.endsWith('disappeared from the disk')).length, 4);
});

test('only the agent’s user can read the buffer', async () => {
  const dir = join(await agentFolder(), 'buffer');
  bufferAt(dir).keep(1);
  assert.equal(statSync(dir).mode & 0o777, 0o700);
  assert.equal(statSync(join(dir, readdirSync(dir)[0]!)).mode & 0o777, 0o600);
});

/** Puts a folder in the place of a file: it fails to be read for any user, as a file does on a disk with errors. */
function unreadable(path: string): () => void {
  renameSync(path, `${path}.aside`);
  mkdirSync(path);
  return () => {
    rmdirSync(path);
    renameSync(`${path}.aside`, path);
  };
}

test('a file that cannot be read now holds up no other, and is sent in its place once it can be read', async () => {
  const dir = await agentFolder();
  const { buffer, keep, times, said } = bufferAt(dir, { segmentEntries: 10 });
  keep(...range(1, 25));
  buffer.dropThrough(noOf(buffer, 3));
  const [first = '', second = ''] = readdirSync(dir);
  const mendFirst = unreadable(join(dir, first));
  const mendSecond = unreadable(join(dir, second));
  assert.deepEqual([times(), buffer.size], [range(21, 25), 5]);
  keep(26);
  buffer.dropThrough(noOf(buffer, 2));
  mendSecond();
  assert.deepEqual(times(), [...range(11, 20), ...range(23, 26)]);
  mendFirst();
  assert.deepEqual([times(), buffer.size], [[...range(4, 20), ...range(23, 26)], 21]);
  assert.equal(said.length, 1, 'said once');
  assert.match(said[0] ?? '', /cannot be read; they are kept/);
  buffer.dropThrough(noOf(buffer, 100));
  assert.deepEqual([buffer.size, readdirSync(dir)], [0, []]);
});

test('a file that cannot be read at the start is kept, and nothing is written into it', async () => {
  const dir = await agentFolder();
  bufferAt(dir).keep(1, 2);
  const mend = unreadable(join(dir, readdirSync(dir)[0] ?? ''));
  const { keep, times } = bufferAt(dir);
  keep(3);
  assert.deepEqual(times(), [3]);
  mend();
  assert.deepEqual(times(), [1, 2, 3]);
});

test('files that stay unreadable count for the limits, and are dropped as the oldest', async () => {
  const dir = await agentFolder();
  const { keep, times, said } = bufferAt(dir, { maxEntries: 25, segmentEntries: 10 });
  keep(...range(1, 10));
  const mend = unreadable(join(dir, readdirSync(dir)[0] ?? ''));
  assert.deepEqual(times(), []);
  keep(...range(11, 30));
  assert.ok(said.includes('The buffer is full: the oldest heartbeats were dropped'));
  mend();
  assert.deepEqual(times(), range(11, 30));
});
