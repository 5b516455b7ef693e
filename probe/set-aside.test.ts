import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSetAside } from './set-aside.ts';

const HOUR_MS = 3_600_000;

async function scene(t: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'set-aside-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const said: string[] = [];
  let nowMs = Date.UTC(2026, 0, 1);
  const open = () =>
    openSetAside({ dataDir, log: (_, message) => void said.push(message), nowMs: () => nowMs });
  return {
    dataDir,
    said,
    open,
    later: (ms: number) => {
      nowMs += ms;
    },
    freezeAt: async (note: string) => {
      await writeFile(join(dataDir, 'frozen.json'), JSON.stringify({ note, time: 'now' }));
      return open();
    },
  };
}

test('a check that froze the previous run is skipped, twice as long each time, across restarts', async (t) => {
  const s = await scene(t);
  const name = (await s.open()).nameOf('http', { url: 'x' });
  let aside = await s.freezeAt(name);
  assert.match(aside.why(name)?.detail ?? '', /\(once\), so it is set aside until 2026-01-01 00:10 UTC/);
  assert.equal(aside.why(aside.nameOf('http', { url: 'y' })), undefined, 'another config is another check');
  aside = await s.open();
  assert.ok(aside.why(name), 'a restart forgets nothing');
  s.later(600_001);
  assert.equal(aside.why(name), undefined, 'it is tried again');
  aside = await s.freezeAt(name);
  s.later(1_100_000);
  assert.match(aside.why(name)?.detail ?? '', /\(2 times\)/);
  for (let i = 0; i < 10; i++) aside = await s.freezeAt(name);
  s.later(25 * HOUR_MS);
  assert.equal(aside.why(name), undefined, 'a day at most');
  s.later(8 * 24 * HOUR_MS);
  await s.freezeAt('tcp other');
  aside = await s.freezeAt(name);
  assert.match(aside.why(name)?.detail ?? '', /\(once\)/, 'after a week it starts over');
});

test('a freeze of unknown cause is logged, and a damaged file does not prevent the start', async (t) => {
  const s = await scene(t);
  await s.freezeAt('');
  assert.deepEqual(s.said, ['The previous run froze; its last check is unknown']);
  await writeFile(join(s.dataDir, 'set-aside.json'), '[{"name":');
  await writeFile(join(s.dataDir, 'frozen.json'), 'null');
  const aside = await s.open();
  assert.equal(aside.why(aside.nameOf('http', {})), undefined);
  assert.deepEqual(await readdir(s.dataDir), ['set-aside.json']);
});

test('a list that cannot be read is logged, since its checks run again; no list is none', async (t) => {
  const s = await scene(t);
  await s.open();
  assert.deepEqual(s.said, []);
  const line = 'Which checks are set aside cannot be read: one that froze the probe may freeze it again';
  const path = join(s.dataDir, 'set-aside.json');
  for (const damaged of ['', '[{"name":', '{}', 'null']) {
    await writeFile(path, damaged);
    await s.open();
    assert.deepEqual(s.said.splice(0), [line], damaged);
  }
  await rm(path);
  // A folder in its place fails to be read for any user, as a file does on a disk with errors.
  await mkdir(path);
  await s.open();
  assert.deepEqual(s.said, [line]);
});

test('a freeze whose note did not reach the disk is logged once', async (t) => {
  const s = await scene(t);
  await writeFile(join(s.dataDir, 'frozen.json'), '');
  await s.open();
  await s.open();
  assert.deepEqual(s.said, ['The previous run froze; its last check is unknown']);
});

test('after a freeze the probe also starts on a disk that takes nothing, and skips the check', async (t) => {
  const s = await scene(t);
  const name = (await s.open()).nameOf('http', { url: 'x' });
  const list = join(s.dataDir, 'set-aside.json.new');
  await mkdir(list);
  assert.ok((await s.freezeAt(name)).why(name));
  assert.equal(s.said.filter((line) => /cannot be kept/.test(line)).length, 1);
  await rm(list, { recursive: true });
  assert.ok((await s.open()).why(name), 'the next start keeps what this one could not');
});

test('a check that took too much of the loop three times in a row is skipped, twice as long the next time', async (t) => {
  const s = await scene(t);
  const aside = await s.open();
  const name = aside.nameOf('grpc', { host: 'x' });
  for (const tooMuch of [true, true, false, true, true]) aside.took(name, tooMuch);
  assert.equal(aside.why(name), undefined, 'not in a row');
  aside.took(name, true);
  assert.equal(aside.why(name)?.failureClass, 'check_too_costly');
  assert.match(
    aside.why(name)?.detail ?? '',
    /again and again, so it is set aside until 2026-01-01 00:01 UTC/,
  );
  s.later(60_001);
  assert.equal(aside.why(name), undefined, 'it is tried again');
  aside.took(name, true);
  s.later(119_000);
  assert.ok(aside.why(name));
  s.later(1_001);
  aside.took(name, false);
  for (let i = 0; i < 2; i++) aside.took(name, true);
  assert.equal(aside.why(name), undefined, 'a normal one resets the count');
});

test('a pause that a clock far ahead has set is no longer than one from now, also across restarts', async (t) => {
  const s = await scene(t);
  const YEAR_MS = 365 * 24 * HOUR_MS;
  const name = (await s.open()).nameOf('http', { url: 'x' });
  s.later(YEAR_MS);
  const before = await s.freezeAt(name);
  for (let i = 0; i < 3; i++) before.took('grpc other', true);
  s.later(-YEAR_MS);
  assert.match(before.why(name)?.detail ?? '', /until 2026-01-01 00:10 UTC/, 'the clock is set right');
  assert.match(before.why('grpc other')?.detail ?? '', /until 2026-01-01 00:01 UTC/);
  const next = await s.open();
  assert.match(next.why(name)?.detail ?? '', /until 2026-01-01 00:10 UTC/, 'the next run shortens it, too');
  s.later(300_000);
  const last = await s.open();
  assert.match(
    last.why(name)?.detail ?? '',
    /until 2026-01-01 00:10 UTC/,
    'a restart does not begin it again',
  );
  s.later(300_001);
  assert.deepEqual([last.why(name), before.why('grpc other')], [undefined, undefined]);
});
