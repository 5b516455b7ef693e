// A server whose event loop really hangs, watched by its supervisor: here the test, with shorter limits.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { silent } from '#test/harness/cluster.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { until } from '#test/harness/until.ts';
import { loadConfig } from '../config/config.ts';
import type { Log } from '../platform/log.ts';
import { BEAT, killWhenHung, PROGRESS } from './hang-detection.ts';
import { ServerDidNotStart, startServer } from './server-child.ts';

/** Longer than a busy machine lets a server wait for a processor. */
const AFTER_MS = 8_000;
const PATIENT = { serving: AFTER_MS, starting: 120_000, progress: 120_000 };
const skip = process.platform === 'win32' && 'no process can be stopped there';

/** A server on a database of its own; `said` is what was logged as an error. */
async function startOn(t: TestContext, patience = PATIENT) {
  const database = await freshDatabase();
  t.after(() => database[Symbol.asyncDispose]());
  const dataDir = await mkdtemp(join(tmpdir(), 'tocsin-hang-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const said: string[] = [];
  const log = { ...silent, debug: () => undefined, error: (_: object, text: string) => void said.push(text) };
  const calls = { again: 0 };
  const server = startServer(
    log as unknown as Log,
    {
      again() {
        calls.again += 1;
      },
      renewed: () => undefined,
    },
    patience,
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
  return { server, said, calls, order: { config, databaseUrl: database.url } };
}

async function serve(t: TestContext) {
  const { server, said, calls, order } = await startOn(t);
  const { address } = await server.serve(order);
  const isReady = async () => (await fetch(`${address}/readyz`).catch(() => null))?.status === 200;
  return { server, said, calls, isReady, pid: server.pid() ?? 0 };
}

test('a server whose event loop hangs is killed and restarted at the same address, with the reason in the log', {
  skip,
}, async (t) => {
  const { server, said, calls, isReady } = await serve(t);
  await until(isReady, 'it is ready');
  // On a busy machine it may have been found hanging before.
  const { again } = calls;
  const { length } = said;
  const pid = server.pid() ?? assert.fail('it runs');
  process.kill(pid, 'SIGSTOP');
  await until(() => calls.again > again, 'it serves again', 60_000);
  assert.notEqual(server.pid(), pid);
  assert.match(said[length] ?? '', /stands still/);
  assert.match(said[length + 1] ?? '', /ended unexpectedly; restarting it/);
  await until(isReady, 'it is ready');
});

/** A supervisor and its child, in a group of processes of their own. */
const PAIR = `
import { spawn } from 'node:child_process';
import { killWhenHung } from '${join(import.meta.dirname, 'hang-detection.ts')}';
const beating = "import { beat } from '${join(import.meta.dirname, 'hang-detection.ts')}'; beat(); setInterval(() => {}, 1e6)";
const child = spawn(process.execPath, ['--input-type=module', '-e', beating], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
child.on('message', (said) => console.log(said));
child.once('message', () => killWhenHung(child, { error: (_, said) => console.log(said) }, ${JSON.stringify(PATIENT)}).serves());
child.on('exit', () => console.log('it is dead'));
`;

test('a server suspended together with its supervisor is left alone', { skip }, async (t) => {
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

test('a server that hangs before it has ever served is killed, and the start fails', {
  skip,
}, async (t) => {
  const { server, said, order } = await startOn(t, { ...PATIENT, starting: 1_000 });
  process.kill(server.pid() ?? assert.fail('it runs'), 'SIGSTOP');
  await assert.rejects(server.serve(order), ServerDidNotStart);
  assert.match(said[0] ?? '', /stands still/);
  assert.equal(server.pid(), null);
});

/** A child without a process, watched for `s` seconds at a time; how often it was killed. */
function watched(t: TestContext, patience = { serving: 30_000, starting: 120_000, progress: 900_000 }) {
  mock.timers.enable({ apis: ['setInterval'] });
  t.after(() => mock.timers.reset());
  const child = Object.assign(new EventEmitter(), { pid: 1, killed: 0, kill: () => (child.killed += 1) });
  const watch = killWhenHung(child as unknown as ChildProcess, silent, patience);
  const pass = (seconds: number, says: string | null = BEAT) => {
    for (let second = 0; second < seconds; second += 1) {
      mock.timers.tick(1_000);
      if (says !== null) child.emit('message', says);
    }
  };
  return { child, watch, pass };
}

test('a start without progress is aborted; waiting for the database before it does not count', (t) => {
  const { child, watch, pass } = watched(t);
  pass(3_600);
  watch.ordered();
  pass(899);
  assert.equal(child.killed, 0);
  pass(2);
  assert.equal(child.killed, 1);
});

test('a start with progress, such as a migration of hours, is left alone', (t) => {
  const { child, watch, pass } = watched(t);
  watch.ordered();
  for (let round = 0; round < 20; round += 1) {
    pass(890);
    child.emit('message', PROGRESS);
  }
  assert.equal(child.killed, 0);
  watch.serves();
  pass(3_600);
  assert.equal(child.killed, 0, 'who serves needs to say nothing but that it turns');
  pass(31, null);
  assert.equal(child.killed, 1);
});

test('a server that is silent while it loads is aborted', (t) => {
  const { child, pass } = watched(t);
  pass(119, null);
  assert.equal(child.killed, 0);
  pass(2, null);
  assert.equal(child.killed, 1);
});
