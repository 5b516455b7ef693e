import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { silent } from '#test/harness/cluster.ts';
import { UNANSWERED_PER_CONNECTION } from './pipelining.ts';
import { makeHttpServer } from './server.ts';

const http = makeHttpServer({ log: silent, baseUrl: 'http://127.0.0.1', trustProxy: 0 });
let port = 0;
let begun = 0;
let answer = () => {};
before(async () => {
  http.get('/wait', async () => {
    begun += 1;
    await new Promise<void>((resolve) => {
      const before = answer;
      answer = () => {
        before();
        resolve();
      };
    });
    return { begun };
  });
  http.get('/quick', async () => ({ quick: true }));
  port = Number(new URL(await http.listen({ host: '127.0.0.1', port: 0 })).port);
});
after(() => http.close());

const requests = (path: string, howMany: number) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(howMany);

test('a connection that pipelines without waiting is closed at the ninth request, and no more start', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(requests('/wait', 1_300));
  socket.resume();
  await once(socket, 'close');
  assert.equal(begun, UNANSWERED_PER_CONNECTION);
  answer();
  const { status } = await fetch(`http://127.0.0.1:${port}/quick`);
  assert.equal(status, 200);
});

test('anything after the excess request in the same read is not even parsed', async () => {
  const { server } = http;
  const emit = server.emit;
  let parsed = 0;
  server.emit = (event: string, ...given: unknown[]) => {
    if (event === 'request') parsed += 1;
    return emit.call(server, event, ...given);
  };
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(requests('/wait', 1_300));
  socket.resume();
  await once(socket, 'close');
  answer();
  assert.equal(parsed, UNANSWERED_PER_CONNECTION + 1);
});

test('a client that pipelines a few requests gets all answers, in order, repeatedly', async () => {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
  });
  for (let round = 1; round <= 3; round++) {
    socket.write(requests('/quick', UNANSWERED_PER_CONNECTION));
    while (text.split('{"quick":true}').length - 1 < round * UNANSWERED_PER_CONNECTION)
      await once(socket, 'data');
  }
  socket.destroy();
});
