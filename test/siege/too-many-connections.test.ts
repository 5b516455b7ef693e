// A stranger opens more connections than the server has descriptors for; others, probes among them, are still answered.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectionsFor } from '../../src/platform/http/connections.ts';
import { freshDatabase } from '../harness/database.ts';
import { until } from '../harness/until.ts';
import { scaled } from './scale.ts';

const FILES = 256;
const MAIN = join(import.meta.dirname, '../../src/main.ts');

/** A whole server that may have few files open, on a database that has as many as it likes. */
async function serveWithFewFiles(stack: AsyncDisposableStack): Promise<string> {
  const database = stack.use(await freshDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'tocsin-few-files-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const child = spawn(
    '/bin/sh',
    ['-c', `ulimit -n ${FILES} && exec "$0" "$1" serve`, process.execPath, MAIN],
    {
      env: {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        DATABASE_URL: database.url,
        SECRET_KEY: 'k'.repeat(32),
        PORT: '0',
        LOCAL_PROBE: 'off',
        LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const ended = once(child, 'exit');
  stack.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk));
  await until(() => /Ctrl-C/.test(text) || child.exitCode !== null, 'it serves', 60_000);
  const address = /(?:Address|Dashboard)\s+(http:\S+)/.exec(text)?.[1];
  assert.ok(address, text);
  assert.match(text, /few files may be open/);
  return address;
}

test('more connections than there are descriptors are closed, and whoever holds few is answered', {
  skip: process.platform === 'linux' ? false : 'other addresses of loopback are Linux’s',
}, async () => {
  await using stack = new AsyncDisposableStack();
  const url = await serveWithFewFiles(stack);
  const { hostname: host, port } = new URL(url);
  const opened: Socket[] = [];
  stack.defer(() => {
    for (const socket of opened) socket.destroy();
  });
  for (let i = 0; i < scaled(2, 20) * FILES; i++) {
    const socket = connect({ host, port: Number(port), localAddress: '127.0.0.2' }).on(
      'error',
      () => undefined,
    );
    opened.push(socket.resume());
    if (i % 50 === 0) await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    // In the middle of it as well as after it.
    if (i % 100 === 0) assert.equal((await fetch(`${url}/readyz`)).status, 200);
  }
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  const most = connectionsFor(FILES);
  await until(() => opened.filter(({ closed }) => !closed).length <= most, 'what is over is closed');
  assert.ok(opened.filter(({ closed }) => !closed).length > most / 2, 'and nothing else');
});
