import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { probeIdentity } from './identity.ts';

test('a probe keeps its name, and takes no other while it cannot read it', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'identity-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const name = await probeIdentity(dir);
  assert.equal(await probeIdentity(dir), name);
  const path = join(dir, 'probe-id');
  // A folder in its place fails to be read for any user, as a file does on a disk with errors.
  await rename(path, `${path}.aside`);
  await mkdir(path);
  await assert.rejects(probeIdentity(dir), /EISDIR.*read/);
  await rmdir(path);
  await rename(`${path}.aside`, path);
  assert.equal(await probeIdentity(dir), name);
});
