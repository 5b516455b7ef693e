import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { probeServer } from '#test/harness/probe-server.ts';
import { programPath } from '#test/harness/program.ts';
import { until } from '#test/harness/until.ts';

test('a probe without a server is restarted if killed, and stops cleanly on a signal', {
  skip: process.platform !== 'linux' && 'finds the child in /proc',
}, async (t) => {
  const server = await probeServer(t);
  const dataDir = await mkdtemp(join(tmpdir(), 'probe-supervisor-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const kept = spawn(process.execPath, [programPath(), 'probe', '--url', server.url, '--data-dir', dataDir], {
    env: { PATH: process.env.PATH, TOCSIN_PROBE_TOKEN: 'tok', CANARIES: 'none' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.after(() => kept.kill('SIGKILL'));
  let said = '';
  kept.stderr.on('data', (text) => (said += text));
  const starts = () => said.split('"Probe started"').length - 1;
  await until(async () => starts() === 1, 'it has started', 30_000);
  const children = await readFile(`/proc/${kept.pid}/task/${kept.pid}/children`, 'utf8');
  process.kill(Number(children.trim()), 'SIGKILL');
  await until(async () => starts() === 2, 'it has started again', 30_000);
  assert.match(said, /"how":"killed by SIGKILL"/);
  kept.kill('SIGTERM');
  const [code] = await once(kept, 'exit');
  assert.equal(code, 0, said);
  assert.match(said, /Probe stopping/);
});

test('a probe whose server dies while it loads ends, instead of living on alone', async (t) => {
  const server = await probeServer(t);
  const dataDir = await mkdtemp(join(tmpdir(), 'probe-supervisor-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  // It loads as slowly as on a busy machine: it goes on only once the channel has closed.
  const slow = `data:text/javascript,await new Promise((done) => process.once('disconnect', done))`;
  const words = ['--import', slow, programPath(), 'probe', '--url', server.url, '--data-dir', dataDir];
  const orphan = spawn(process.execPath, words, {
    env: { PATH: process.env.PATH, TOCSIN_PROBE_TOKEN: 'tok', CANARIES: 'none' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  // A probe that does live on keeps a child: SIGTERM ends both.
  t.after(() => orphan.kill('SIGTERM'));
  let said = '';
  orphan.stderr?.on('data', (text) => (said += text));
  orphan.disconnect();
  await until(async () => orphan.exitCode !== null, 'its end');
  assert.equal(orphan.exitCode, 0, said);
});
