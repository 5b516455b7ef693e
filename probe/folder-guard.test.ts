import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { guardFolder } from './folder-guard.ts';

const GUARD = new URL('./folder-guard.ts', import.meta.url).href;

async function scene(t: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'guard-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const said: string[] = [];
  const waits: number[] = [];
  const claim = (duringWait: () => Promise<void> = async () => undefined, folder = dataDir) =>
    guardFolder({
      ...{ dataDir: folder, log: (_, message) => void said.push(message) },
      wait: async (ms) => {
        waits.push(ms);
        await duringWait();
      },
    });
  return { dataDir, said, waits, claim };
}

/** Another process that holds the folder. */
async function holding(t: TestContext, dataDir: string) {
  const program = `import { guardFolder } from ${JSON.stringify(GUARD)};
    await guardFolder({ dataDir: process.argv[1], log() {} });
    setInterval(() => {}, 1000);
    console.log('held');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('a second probe is refused a data folder after some seconds, with the process that has it', async (t) => {
  const { dataDir, waits, claim } = await scene(t);
  const child = await holding(t, dataDir);
  await assert.rejects(claim(), (error: Error) => {
    assert.equal(
      error.message,
      `another probe (process ${child.pid}) runs with the data folder ${dataDir}. ` +
        'Stop it first, or give this one a --data-dir of its own',
    );
    return true;
  });
  assert.deepEqual(waits, Array(10).fill(500));
  await assert.rejects(claim(), /another probe/, 'the refused one has taken nothing from the first');
});

test('a probe that is killed keeps no other out, also one that waits for it', async (t) => {
  const { dataDir, said, waits, claim } = await scene(t);
  const child = await holding(t, dataDir);
  const guard = await claim(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  assert.deepEqual(waits, [500]);
  await assert.rejects(claim(), new RegExp(`process ${process.pid}`));
  await guard.release();
  assert.deepEqual([await readdir(dataDir), said], [[], []]);
  await (await claim()).release();
});

test('of two that start after a killed one only one gets the folder', async (t) => {
  const { dataDir, claim } = await scene(t);
  const child = await holding(t, dataDir);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const others = await Promise.allSettled([claim(), claim()]);
  assert.deepEqual(others.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  for (const each of others) if (each.status === 'fulfilled') await each.value.release();
});

test('where no socket can be opened, a probe starts without', async (t) => {
  const { dataDir, said, claim } = await scene(t);
  const deep = join(dataDir, 'd'.repeat(100));
  await (await claim(undefined, deep)).release();
  assert.deepEqual(said, [
    'Another probe in this data folder would not be noticed: no socket can be opened there',
  ]);
});
