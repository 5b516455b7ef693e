import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LineTooLong, linesOf } from './lines-of.ts';
import { readLines } from './read-lines.ts';

async function* inChunks(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function linesIn(chunks: AsyncIterable<Buffer>, maxBytes = 100): Promise<string[]> {
  return Array.fromAsync(linesOf(chunks, maxBytes));
}

test('lines end with LF or CRLF, wherever chunks end, and the last one needs no terminator', async () => {
  assert.deepEqual(await linesIn(inChunks('on', 'e\r', '\ntwo\n\nfo', 'ur')), ['one', 'two', '', 'four']);
  assert.deepEqual(await linesIn(inChunks('one\n')), ['one']);
  assert.deepEqual(await linesIn(inChunks()), []);
});

test('a character split between chunks is joined, and U+2028 ends no line', async () => {
  const bytes = Buffer.from('{"a":"ü\u2028b"}\n');
  const single = async function* () {
    for (const byte of bytes) yield Buffer.from([byte]);
  };
  assert.deepEqual(await linesIn(single()), ['{"a":"ü\u2028b"}']);
});

test('an endless line is abandoned as soon as it is too long, and no more of it is read', async () => {
  let read = 0;
  const endless = async function* () {
    for (;;) {
      read += 1;
      yield Buffer.alloc(10, 'x');
    }
  };
  await assert.rejects(linesIn(endless()), LineTooLong);
  assert.equal(read, 11);
  assert.deepEqual(await linesIn(inChunks(`${'x'.repeat(100)}\n${'y'.repeat(100)}`)), [
    'x'.repeat(100),
    'y'.repeat(100),
  ]);
});

test('an import names the line that is too long, and imports nothing', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-lines-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const path = join(dir, 'organization.jsonl');
  await writeFile(path, Buffer.alloc(17 * 2 ** 20, '{"kind":"header",'));
  await assert.rejects(
    Array.fromAsync(readLines(path)),
    /^BrokenLine: Line 1 of the export cannot be imported: it is longer than 16 MiB.* Nothing was imported\.$/,
  );
});
