import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { smallDisk } from '#test/harness/small-disk.ts';
import { demandDataDir } from './data-dir.ts';

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'tocsin-data-dir-'));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

test('a missing directory is created, and nothing is left in it', async (t) => {
  const path = join(await folder(t), 'a/b');
  demandDataDir(path);
  assert.deepEqual([await readdir(path), (await stat(path)).mode & 0o777], [[], 0o711]);
});

test('for a file, or a path below one, the error says that it is no directory', async (t) => {
  const path = join(await folder(t), 'file');
  await writeFile(path, '');
  assert.throws(
    () => demandDataDir(path),
    /DATA_DIR \(\S+\) .*there is a file of that name, and not a folder/,
  );
  assert.throws(
    () => demandDataDir(join(path, 'below')),
    /\S+file, or a part of that path, is a file and not a folder/,
  );
});

test('for a full disk the error says so', async (t) => {
  const small = await smallDisk(1);
  if (!small) return t.skip('no disk can be mounted here');
  t.after(() => small[Symbol.asyncDispose]());
  await writeFile(join(small.dir, 'everything'), Buffer.alloc(1024 * 1024)).catch(() => undefined);
  assert.throws(() => demandDataDir(small.dir), /its disk is full\. Make room/);
});

test('for a disk mounted read-only the error says so', async (t) => {
  const small = await smallDisk(1);
  if (!small) return t.skip('no disk can be mounted here');
  t.after(() => small[Symbol.asyncDispose]());
  execFileSync('mount', ['-o', 'remount,ro', small.dir]);
  assert.throws(() => demandDataDir(small.dir), /its disk is mounted read-only\. Mount it for writing/);
});

test('for a directory that this user cannot write to the error says so, and names its owner', async (t) => {
  const path = await folder(t);
  await chmod(path, 0o555);
  const isRoot = process.getuid?.() === 0;
  // Root may write anywhere, so the program runs as a user who may not.
  const program = `import { demandDataDir } from ${JSON.stringify(join(import.meta.dirname, 'data-dir.ts'))};
    try { demandDataDir(${JSON.stringify(join(path, 'data'))}); } catch (error) { console.log(error.message); }`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    cwd: '/',
    ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
  });
  const whose = isRoot
    ? / belongs to another user \(uid 0\) and may not be written to by this one \(uid 65534\)/
    : / may not be written to/;
  assert.match(said, whose);
  assert.match(said, /Give it to this user \(chown\), or set DATA_DIR/);
});
