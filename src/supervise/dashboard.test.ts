import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLog } from '../platform/log.ts';
import { readyDashboard } from './dashboard.ts';

const silent = createLog('silent');
const { signal } = new AbortController();

async function tree(): Promise<
  AsyncDisposable & { root: string; write: (path: string, text: string) => Promise<void> }
> {
  const root = await mkdtemp(join(tmpdir(), 'tocsin-web-'));
  const write = async (path: string, text: string) => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text);
  };
  await write('src/things/contract.ts', '');
  return { root, write, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}

test('it is built if missing, rebuilt if a source is newer, and otherwise left alone', async () => {
  await using web = await tree();
  await web.write('web/index.html', '<title>one</title>');
  const index = join(web.root, 'dist/web/index.html');
  assert.equal(await readyDashboard(silent, signal, web.root), join(web.root, 'dist/web'));
  assert.match(await readFile(index, 'utf8'), /one/);

  await web.write('dist/web/marker', '');
  await readyDashboard(silent, signal, web.root);
  assert.ok(existsSync(join(web.root, 'dist/web/marker')), 'nothing changed, nothing built');

  await web.write('web/index.html', '<title>two</title>');
  const later = new Date(Date.now() + 5000);
  await utimes(join(web.root, 'src/things/contract.ts'), later, later);
  await readyDashboard(silent, signal, web.root);
  assert.match(await readFile(index, 'utf8'), /two/);
  assert.deepEqual(await readdir(join(web.root, 'dist')), ['web'], 'no leftovers');
});

test('a failed build keeps the last good one and does not stop the server', async () => {
  await using web = await tree();
  await web.write('dist/web/index.html', 'good');
  await utimes(join(web.root, 'dist/web/index.html'), 1, 1);
  await web.write('web/index.html', '<script type="module" src="./missing.ts"></script>');
  assert.equal(await readyDashboard(silent, signal, web.root), join(web.root, 'dist/web'));
  assert.equal(await readFile(join(web.root, 'dist/web/index.html'), 'utf8'), 'good');
});

test('without a build and sources there is no dashboard', async () => {
  await using web = await tree();
  assert.equal(await readyDashboard(silent, signal, web.root), null);
});
