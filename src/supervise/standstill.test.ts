// A server whose event loop really stands still, seen by its supervisor: here the test, with less patience.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { silent } from '#test/harness/cluster.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { until } from '#test/harness/until.ts';
import { loadConfig } from '../config/config.ts';
import type { Log } from '../platform/log.ts';
import { startServer } from './server-child.ts';

const AFTER_MS = 4_000;
const skip = process.platform === 'win32' && 'no process can be stopped there';

/** A server on a database of its own; `said` is what was logged as an error. */
async function serve(t: TestContext) {
  const database = await freshDatabase();
  t.after(() => database[Symbol.asyncDispose]());
  const dataDir = await mkdtemp(join(tmpdir(), 'tocsin-standstill-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const said: string[] = [];
  const log = { ...silent, debug: () => undefined, error: (_: object, text: string) => void said.push(text) };
  const heard = { again: 0 };
  const server = startServer(
    log as unknown as Log,
    {
      again() {
        heard.again += 1;
      },
      renewed: () => undefined,
    },
    AFTER_MS,
  );
  t.after(() => server.stop());
  const config = loadConfig({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET_KEY: 'k'.repeat(32),
    PORT: '0',
    LOCAL_PROBE: 'off',
    LOG_LEVEL: 'silent',
  });
  const { address } = await server.serve({ config, databaseUrl: database.url });
  const isReady = async () => (await fetch(`${address}/readyz`).catch(() => null))?.status === 200;
  return { server, said, heard, isReady, pid: server.pid() ?? 0 };
}

test('a server whose event loop stands still is killed and started again at the same address, with the reason in the log', {
  skip,
}, async (t) => {
  const { server, said, heard, isReady, pid } = await serve(t);
  assert.ok(await isReady());
  process.kill(pid, 'SIGSTOP');
  await until(() => heard.again === 1, 'it serves again', 60_000);
  assert.notEqual(server.pid(), pid);
  assert.match(said[0] ?? '', /stands still/);
  assert.match(said[1] ?? '', /starting it again/);
  assert.ok(await isReady());
});

/** A supervisor and its child, in a group of processes of their own. */
const PAIR = `
import { spawn } from 'node:child_process';
import { killWhenStill } from '${join(import.meta.dirname, 'standstill.ts')}';
const beating = "import { beat } from '${join(import.meta.dirname, 'standstill.ts')}'; beat(); setInterval(() => {}, 1e6)";
const child = spawn(process.execPath, ['--input-type=module', '-e', beating], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
child.on('message', (said) => console.log(said));
child.once('message', () => killWhenStill(child, { error: (_, said) => console.log(said) }, ${AFTER_MS}));
child.on('exit', () => console.log('it is dead'));
`;

test('a server that was suspended together with its supervisor is left alone', { skip }, async (t) => {
  const pair = spawn(process.execPath, ['--input-type=module', '-e', PAIR], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const all = (signal: NodeJS.Signals) => process.kill(-(pair.pid ?? 0), signal);
  t.after(() => all('SIGKILL'));
  let said = '';
  pair.stdout.on('data', (chunk: Buffer) => (said += chunk));
  const beats = () => said.split('beat').length - 1;
  await until(() => beats() > 1, 'it turns');
  all('SIGSTOP');
  await pause(AFTER_MS + 1_000);
  const before = beats();
  all('SIGCONT');
  await until(() => beats() > before + 2, 'it goes on');
  assert.match(said, /^(beat\n)+$/);
});
