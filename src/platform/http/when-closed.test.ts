import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { FastifyReply } from 'fastify';
import { silent } from '#test/harness/cluster.ts';
import { makeHttpServer } from './server.ts';
import { whenClosed } from './when-closed.ts';

/** Sends these many requests at once to a server that follows each as `arrived` does, and hangs up when all have begun. */
async function hangUp(t: TestContext, requests: number, arrived: (reply: FastifyReply) => Promise<void>) {
  const http = makeHttpServer({ log: silent, baseUrl: 'http://127.0.0.1', trustProxy: 0 });
  t.after(() => http.close());
  const begun = Promise.withResolvers<void>();
  const followed: Promise<void>[] = [];
  http.addHook('onRequest', async (_request, reply) => {
    const following = arrived(reply);
    followed.push(following);
    if (followed.length === requests) begun.resolve();
    await following;
  });
  http.get('/', async () => ({}));
  const { port } = new URL(await http.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(requests));
  await begun.promise;
  socket.resetAndDestroy();
  await Promise.all(followed);
}

/** Until the client is gone, and everything that follows from it has happened. */
async function gone({ request }: FastifyReply): Promise<void> {
  await new Promise((resolve) => request.raw.socket.once('close', resolve));
  await new Promise(setImmediate);
}

test('a response whose client hung up before somebody waited for its end is over', async (t) => {
  let over = 0;
  await hangUp(t, 3, async (reply) => {
    await gone(reply);
    whenClosed(reply.raw, () => {
      over += 1;
    });
  });
  assert.equal(over, 3);
});
