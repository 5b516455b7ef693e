import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import fastify from 'fastify';
import { until } from '#test/harness/until.ts';
import { capConnections, connectionsFor } from './connections.ts';

const MAX_CONNECTIONS = 10;

async function serve(): Promise<
  AsyncDisposable & { open: (from: string, path?: string) => Promise<Socket>; now: () => Promise<number> }
> {
  const http = fastify({ forceCloseConnections: true });
  capConnections(http, MAX_CONNECTIONS);
  http.get('/held', () => new Promise(() => undefined));
  http.get('/', () => 'here');
  const { port } = new URL(await http.listen({ host: '127.0.0.1', port: 0 }));
  const all: Socket[] = [];
  return {
    async open(from, path) {
      const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress: from });
      socket.on('error', () => undefined).resume();
      all.push(socket);
      await once(socket, 'connect');
      if (path) socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      return socket;
    },
    now: () => new Promise((resolve) => http.server.getConnections((_error, count) => resolve(count))),
    async [Symbol.asyncDispose]() {
      for (const socket of all) socket.destroy();
      await http.close();
    },
  };
}

test('clients and the rest of the process share its descriptors', () => {
  assert.deepEqual([64, 256, 1024, 65536, Infinity].map(connectionsFor), [32, 128, 724, 4096, 4096]);
});

test('one connection too many closes the oldest idle one of the client with most', async () => {
  await using server = await serve();
  const quiet = await server.open('127.0.0.3');
  const greedy: Socket[] = [];
  for (let i = 0; i < MAX_CONNECTIONS - 1; i++) greedy.push(await server.open('127.0.0.2'));
  const another = await server.open('127.0.0.4');
  await until(() => greedy[0]!.closed, 'the oldest of the greedy is closed');
  assert.deepEqual([quiet.closed, another.closed, greedy.at(-1)!.closed], [false, false, false]);
});

test('a client with only busy connections loses the youngest, and another client is answered', async () => {
  await using server = await serve();
  const greedy: Socket[] = [];
  for (let i = 0; i < MAX_CONNECTIONS; i++) greedy.push(await server.open('127.0.0.2', '/held'));
  await until(async () => (await server.now()) === MAX_CONNECTIONS, 'all are there');
  const quiet = await server.open('127.0.0.3', '/');
  const [answer] = (await once(quiet, 'data')) as [Buffer];
  assert.match(String(answer), /^HTTP\/1.1 200 /);
  await until(() => greedy.filter(({ closed }) => closed).length === 1, 'one of the greedy is closed');
  const more = await server.open('127.0.0.2', '/held');
  await until(() => more.closed || quiet.closed, 'something gives way');
  assert.equal(await server.now(), MAX_CONNECTIONS);
});
