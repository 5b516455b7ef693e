// A stranger opens more connections than the server has descriptors for; others, probes among them, still get answers.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { connectionsFor } from '#src/platform/http/connections.ts';
import { freshDatabase } from '../harness/database.ts';
import { startInstallation } from '../harness/installation.ts';
import { until } from '../harness/until.ts';
import { scaled } from './scale.ts';

const FILES = 256;

/** A whole server with few file descriptors, on a database without that limit. */
async function serveWithFewFiles(stack: AsyncDisposableStack): Promise<string> {
  const database = stack.use(await freshDatabase());
  const env = { DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(32), LOCAL_PROBE: 'off' };
  const server = await startInstallation({ openFiles: FILES, env });
  stack.defer(() => server.remove());
  assert.match(server.output(), /the limit on open files is low/);
  return server.url;
}

test('connections beyond the descriptors are closed, and a client with few is answered', {
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
    // During it as well as after it.
    if (i % 100 === 0) assert.equal((await fetch(`${url}/readyz`)).status, 200);
  }
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  const most = connectionsFor(FILES);
  await until(() => opened.filter(({ closed }) => !closed).length <= most, 'what is over is closed');
  assert.ok(opened.filter(({ closed }) => !closed).length > most / 2, 'and nothing else');
});
