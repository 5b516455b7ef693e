import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import { authority } from '#test/harness/certificates.ts';
import { blackHole, closedPort, flood, httpServer, httpsServer, tcpServer } from '#test/harness/listeners.ts';
import { OutboundFailure } from './failures.ts';
import { closeIdleConnections, type OutboundRequest, request } from './request.ts';

const policy = { allowPrivate: true };

async function failureOf(options: OutboundRequest): Promise<string> {
  try {
    await request(options);
  } catch (error) {
    assert.ok(error instanceof OutboundFailure, String(error));
    return `${error.layer} ${error.failureClass}`;
  }
  assert.fail('it was answered');
}

const post = (port: number, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url: `http://127.0.0.1:${port}/hook?x=1`,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"a":1}'),
  policy,
  ...more,
});

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const closeAfter = (t: TestContext) => t.after(closeIdleConnections);

test('the exact bytes are posted, and status, headers and text are returned', async (t) => {
  closeAfter(t);
  let seen: { method?: string; url?: string; length?: string; body?: Buffer } = {};
  const port = await httpServer(t, async (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    seen = { method, url, length: headers['content-length'] ?? '', body: await bytesOf(incoming) };
    response.writeHead(503, { 'retry-after': '7' }).end('later');
  });
  const body = Buffer.from('{"ü": 1 }\n');
  const reply = await request(post(port, { body }));
  assert.deepEqual(seen, { method: 'POST', url: '/hook?x=1', length: String(body.length), body });
  assert.deepEqual([reply.status, reply.headers['retry-after'], reply.bodyText], [503, '7', 'later']);
  assert.ok(reply.latencyMs >= 0);
});

test('redirects are returned and not followed', async (t) => {
  closeAfter(t);
  let requests = 0;
  const port = await httpServer(t, (_, response) => {
    requests += 1;
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  assert.equal((await request(post(port))).status, 307);
  assert.equal(requests, 1);
});

test('a reply is read up to its limit and no further', async (t) => {
  closeAfter(t);
  const port = await httpServer(t, (_, response) => {
    response.write('x'.repeat(100_000));
  });
  const { bodyText } = await request(post(port));
  assert.equal(bodyText.length, 64 * 1024);
});

for (const [what, head, piece] of [
  ['a reply in endless tiny chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\na\r\n'],
  ['endless answers that say "wait"', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
] as const)
  test(`${what} keep nobody busy`, async (t) => {
    closeAfter(t);
    const cut = Promise.withResolvers<void>();
    const port = await tcpServer(t, (socket) => {
      socket.on('close', () => cut.resolve());
      socket.once('data', () => {
        socket.write(head);
        flood(socket, Buffer.from(piece));
      });
    });
    const asked = post(port, { maxReplyBytes: 1024 * 1024, timeoutMs: 20_000 });
    if (head === '') assert.equal(await failureOf(asked), 'target_http invalid_response');
    else assert.equal((await request(asked)).bodyText, 'a'.repeat(1024));
    await cut.promise;
  });

test('connections are reused between requests', async (t) => {
  closeAfter(t);
  const ports = new Set<number | undefined>();
  const port = await httpServer(t, (incoming, response) => {
    ports.add(incoming.socket.remotePort);
    response.end('ok');
  });
  await request(post(port));
  await request(post(port));
  assert.equal(ports.size, 1);
});

test('an idle connection that the receiver has closed costs only a new one', async (t) => {
  closeAfter(t);
  let connections = 0;
  const port = await tcpServer(t, (socket) => {
    connections += 1;
    let requests = 0;
    socket.on('data', () => {
      requests += 1;
      if (requests > 1) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    });
  });
  assert.equal((await request(post(port))).status, 200);
  assert.equal((await request(post(port))).status, 200);
  assert.equal(connections, 2);
});

test('idle connections that the receiver has all forgotten cost only a new one', async (t) => {
  closeAfter(t);
  let connections = 0;
  const both = Promise.withResolvers<void>();
  const port = await tcpServer(t, (socket) => {
    connections += 1;
    if (connections === 2) both.resolve();
    let requests = 0;
    socket.on('data', async () => {
      requests += 1;
      if (requests > 1) return socket.resetAndDestroy();
      await both.promise;
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    });
  });
  await Promise.all([request(post(port)), request(post(port))]);
  assert.equal((await request(post(port))).status, 200);
  assert.equal(connections, 3);
});

test('a receiver that has begun to answer over an idle connection is not asked twice', async (t) => {
  closeAfter(t);
  let asked = 0;
  const port = await tcpServer(t, (socket) => {
    socket.on('data', () => {
      asked += 1;
      if (asked === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\no', () => socket.destroy());
    });
  });
  await request(post(port));
  assert.equal(await failureOf(post(port)), 'target_http response_reset');
  assert.equal(asked, 2);
});

test('the deadline covers everything, including a reply that drips', async (t) => {
  closeAfter(t);
  const port = await httpServer(t, (_, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(drip));
  });
  assert.equal(await failureOf(post(port, { timeoutMs: 150 })), 'target_http response_timeout');
});

test('an unreachable receiver fails with its class', async (t) => {
  closeAfter(t);
  assert.equal(await failureOf(post(await closedPort())), 'target_connect connect_refused');
  const resetting = await tcpServer(t, (socket) => socket.once('data', () => socket.resetAndDestroy()));
  assert.equal(await failureOf(post(resetting)), 'target_http response_reset');
  const strange = await tcpServer(t, (socket) => socket.once('data', () => socket.end('220 mail\r\n')));
  assert.equal(await failureOf(post(strange)), 'target_http invalid_response');
});

test('private receivers are refused if the policy says so, by name and by address', async () => {
  const closed = { policy: { allowPrivate: false } };
  assert.equal(await failureOf(post(80, closed)), 'probe blocked_target');
  const resolver = async () => [{ address: '127.0.0.1', family: 4 as const }];
  assert.equal(
    await failureOf(post(80, { ...closed, url: 'http://hook.test/', resolver })),
    'probe blocked_target',
  );
});

test('a receiver that is silent before it is connected fails with what was missing', async (t) => {
  closeAfter(t);
  const full = await blackHole(t, '127.0.0.1');
  assert.equal(await failureOf(post(full, { timeoutMs: 150 })), 'target_connect connect_timeout');
  const silent = await tcpServer(t, () => undefined);
  assert.equal(
    await failureOf(post(silent, { url: `https://127.0.0.1:${silent}/`, timeoutMs: 150 })),
    'target_tls tls_timeout',
  );
  assert.equal(await failureOf(post(silent, { timeoutMs: 150 })), 'target_http response_timeout');
  const resolver = () => new Promise<never>(() => undefined);
  const unresolved = post(80, { url: 'http://hook.test/', resolver, timeoutMs: 150 });
  assert.equal(await failureOf(unresolved), 'target_dns dns_timeout');
});

test('a receiver that switches to another protocol has not answered in HTTP, and is not waited for', async (t) => {
  closeAfter(t);
  const cut = Promise.withResolvers<void>();
  const port = await tcpServer(t, (socket) => {
    socket.on('close', () => cut.resolve());
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: chat\r\n\r\n'),
    );
  });
  assert.equal(await failureOf(post(port)), 'target_http invalid_response');
  await cut.promise;
});

test('user and password of an address are sent as it demands, unless a header says otherwise', async (t) => {
  closeAfter(t);
  const seen: (string | undefined)[] = [];
  const port = await httpServer(t, ({ headers }, response) => {
    seen.push(headers.authorization);
    response.end();
  });
  const url = (user: string) => `http://${user}127.0.0.1:${port}/`;
  await request(post(port, { url: url('') }));
  await request(post(port, { url: url('me%40home:50%@') }));
  await request(post(port, { url: url('me:pw@'), headers: { authorization: 'Bearer token' } }));
  const basic = `Basic ${Buffer.from('me@home:50%').toString('base64')}`;
  assert.deepEqual(seen, [undefined, basic, 'Bearer token']);
});

test('certificates are always verified', async (t) => {
  closeAfter(t);
  const issued = await (await authority()).issue();
  const port = await httpsServer(t, issued, (_, response) => response.end());
  assert.match(
    await failureOf(post(port, { url: `https://127.0.0.1:${port}/` })),
    /^target_tls tls_untrusted/,
  );
});

test('an abort cancels a request', async (t) => {
  closeAfter(t);
  const stop = new AbortController();
  const port = await httpServer(t, () => stop.abort());
  assert.equal(await failureOf(post(port, { signal: stop.signal })), 'probe aborted');
});

test('addresses other than http and https are refused', async () => {
  assert.equal(await failureOf(post(80, { url: 'file:///etc/passwd' })), 'probe invalid_config');
});
