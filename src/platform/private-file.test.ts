import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { after, test } from 'node:test';
import { makePrivateFolder, refuseExisting, writePrivateFile } from './private-file.ts';

const dir = mkdtempSync(join(tmpdir(), 'tocsin-private-'));
after(() => rmSync(dir, { recursive: true }));

const write = (text: string) => async (out: Writable) => {
  out.end(text);
};

test('a file gets its name once it is complete, and only its owner can read it', async () => {
  const path = join(dir, 'whole');
  await writePrivateFile(path, write('all of it'));
  assert.deepEqual([readFileSync(path, 'utf8'), statSync(path).mode & 0o777], ['all of it', 0o600]);
  const half = join(dir, 'half');
  const failing = writePrivateFile(half, async (out) => {
    out.write('some');
    throw new Error('no more');
  });
  await assert.rejects(failing, /^Error: no more$/);
  assert.deepEqual([existsSync(half), existsSync(`${half}.partial`)], [false, false]);
});

test('if a file cannot be created, nothing is written, and a sentence says why', async () => {
  let asked = false;
  const writing = writePrivateFile(join(dir, 'nowhere', 'file'), async () => {
    asked = true;
  });
  await assert.rejects(writing, /nowhere\/file\.partial cannot be written: there is no such folder\.$/);
  assert.equal(asked, false);
});

test('an existing file is replaced only on request, and a directory or a device never', async () => {
  const path = join(dir, 'there');
  writeFileSync(path, 'x');
  await assert.rejects(refuseExisting(path, false), /already exists.*--force/);
  await refuseExisting(path, true);
  await assert.rejects(refuseExisting(dir, true), /is a folder\. Name a file/);
  await assert.rejects(refuseExisting('/dev/null', true), /is not a regular file/);
  await refuseExisting(join(dir, 'free'), false);
});

test('a directory is created for its owner only; a file in its place is reported', async () => {
  await makePrivateFolder(join(dir, 'a', 'b'));
  assert.equal(statSync(join(dir, 'a', 'b')).mode & 0o777, 0o700);
  writeFileSync(join(dir, 'file'), 'x');
  for (const blocked of ['file', 'file/below'])
    await assert.rejects(makePrivateFolder(join(dir, blocked)), /cannot be created: a file is in its place/);
});
