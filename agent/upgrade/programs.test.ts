import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runNewest } from './newest.ts';
import { MAX_STARTS, openPrograms, sumOf } from './programs.ts';

async function folder(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-programs-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  return join(dir, 'programs');
}
const bytesOf = (version: string) => Buffer.from(`// version ${version}`);

test('the newest downloaded version runs, if it is newer than the installed one', async (t) => {
  const programs = openPrograms(await folder(t));
  assert.equal(programs.newest('1.0.0'), null);
  programs.keep('1.1.0', bytesOf('1.1.0'));
  programs.proven('1.1.0');
  programs.keep('1.2.0', bytesOf('1.2.0'));
  assert.equal(programs.newest('1.0.0')?.version, '1.2.0');
  assert.equal(programs.newest('1.2.0'), null, 'what was installed is as new');
  assert.equal(programs.newest('2.0.0'), null);
});

test('a version that fails to start is skipped, and the previous one runs again', async (t) => {
  const programs = openPrograms(await folder(t));
  programs.keep('1.1.0', bytesOf('1.1.0'));
  programs.proven('1.1.0');
  const bad = programs.keep('1.2.0', bytesOf('1.2.0'));
  for (let i = 0; i < MAX_STARTS; i++) {
    assert.equal(programs.newest('1.0.0')?.version, '1.2.0', `start ${i}`);
    programs.starting(bad);
  }
  assert.equal(programs.newest('1.0.0')?.version, '1.1.0');
  assert.ok(programs.hasFailed(bad.sha256));
  // Another build of the same version gets a new chance.
  programs.keep('1.2.0', Buffer.from('// version 1.2.0, mended'));
  assert.equal(programs.newest('1.0.0')?.version, '1.2.0');
  assert.ok(programs.hasFailed(bad.sha256));
});

test('an answered heartbeat or an orderly stop resets the count of starts', async (t) => {
  const programs = openPrograms(await folder(t));
  const fetched = programs.keep('1.1.0', bytesOf('1.1.0'));
  for (let i = 0; i < 5 * MAX_STARTS; i++) {
    programs.starting(fetched);
    if (i % 2) programs.proven('1.1.0');
    else programs.stopped('1.1.0');
  }
  assert.equal(programs.newest('1.0.0')?.version, '1.1.0');
});

test('a damaged file does not run, and neither does anything from a damaged list', async (t) => {
  const dir = await folder(t);
  const programs = openPrograms(dir);
  const fetched = programs.keep('1.1.0', bytesOf('1.1.0'));
  await truncate(programs.pathOf(fetched), 3);
  assert.equal(programs.newest('1.0.0'), null);
  programs.keep('1.1.0', bytesOf('1.1.0'));
  assert.equal(programs.newest('1.0.0')?.version, '1.1.0');
  for (const list of [
    '',
    '{',
    '{}',
    '[null, 1, {"version": 1}]',
    '[{"version":"9.9.9","sha256":"../x","starts":0,"proven":true}]',
  ]) {
    await writeFile(join(dir, 'fetched.json'), list);
    assert.equal(programs.newest('1.0.0'), null, list);
  }
});

test('the newest and the last proven version stay on disk, however many arrive', async (t) => {
  const dir = await folder(t);
  const programs = openPrograms(dir);
  for (let i = 1; i < 20; i++) {
    programs.keep(`1.${i}.0`, bytesOf(`1.${i}.0`));
    if (i === 3 || i === 7) programs.proven(`1.${i}.0`);
  }
  const files = (await readdir(dir)).filter((name) => name.endsWith('.mjs')).sort();
  const expected = ['1.7.0', '1.19.0'].map((each) => `tocsin-agent-${sumOf(bytesOf(each)).slice(0, 16)}.mjs`);
  assert.deepEqual(files, expected.sort());
});

test('a directory that cannot be written gives a readable error', async (t) => {
  const dir = await folder(t);
  await writeFile(dir, 'a file');
  assert.throws(
    () => openPrograms(dir).keep('1.1.0', bytesOf('1.1.0')),
    /programs cannot be written \((EEXIST|ENOTDIR)\)/,
  );
});

/** From now on the list of versions cannot be written, as on a disk that is full or read-only. */
const fill = (dir: string) => mkdir(join(dir, 'fetched.json.new'));

test('a proven version starts and stops on a disk that takes nothing', async (t) => {
  const dir = await folder(t);
  const programs = openPrograms(dir);
  programs.keep('1.1.0', bytesOf('1.1.0'));
  programs.proven('1.1.0');
  await fill(dir);
  for (let i = 0; i < 2 * MAX_STARTS; i++) {
    const fetched = programs.newest('1.0.0');
    assert.equal(fetched?.version, '1.1.0');
    programs.starting(fetched);
    programs.proven('1.1.0');
    programs.stopped('1.1.0');
  }
});

test('a version that nobody has seen work does not start where its starts cannot be counted', async (t) => {
  const dir = await folder(t);
  const programs = openPrograms(dir);
  programs.keep('1.1.0', Buffer.from('globalThis.startedUncounted = true'));
  await fill(dir);
  const said: unknown[] = [];
  await runNewest(programs, { version: '1.0.0', counts: true, log: (...words) => void said.push(words) });
  assert.equal('startedUncounted' in globalThis, false);
  assert.equal(said.length, 1);
});

test('where a version cannot be loaded the installed one runs, also on a disk that takes nothing', async (t) => {
  const dir = await folder(t);
  const programs = openPrograms(dir);
  programs.keep('1.1.0', Buffer.from('throw new Error("not on this machine")'));
  programs.proven('1.1.0');
  await fill(dir);
  const said: unknown[] = [];
  await runNewest(programs, { version: '1.0.0', counts: true, log: (...words) => void said.push(words) });
  assert.equal(said.length, 1);
});
