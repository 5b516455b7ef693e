import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { before, type TestContext, test } from 'node:test';
import Client, { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import type { Authority } from '#test/harness/certificates.ts';
import { closedPort, flood, httpServer, tcpServer } from '#test/harness/listeners.ts';
import { checkJudged, checkOnce, linesOf, verdictOf } from '#test/harness/one-check.ts';
import { trustedAuthority } from '#test/harness/trust.ts';

let trusted: Authority;
before(async () => {
  trusted = await trustedAuthority();
});

type Served = { url: string; closes: number[]; requests: IncomingMessage[] };

/** A WebSocket server; `onSocket` sees each connection. */
async function serve(
  t: TestContext,
  onSocket: (socket: WebSocket) => void = () => undefined,
  options: ServerOptions = {},
  secure = false,
): Promise<Served> {
  const http = secure ? createHttpsServer(await trusted.issue()) : createServer();
  const server = new WebSocketServer({ server: http, ...options });
  const closes: number[] = [];
  const requests: IncomingMessage[] = [];
  server.on('connection', (socket, request) => {
    requests.push(request);
    socket.on('close', (code) => closes.push(code));
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of server.clients) socket.terminate();
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  return { url: `${secure ? 'wss' : 'ws'}://127.0.0.1:${port}/live?a=1`, closes, requests };
}

const echo = (socket: WebSocket) =>
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));

test('an open connection is up, with 101, and is closed cleanly', async (t) => {
  const { url, closes, requests } = await serve(t);
  const { seen, judged } = await checkJudged('websocket', { url, headers: { 'X-One': 'uno' } });
  assert.deepEqual([seen.status, seen.response_code], ['up', 101]);
  assert.deepEqual(
    judged.map(({ what, ok }) => [what, ok]),
    [
      ['Connection', true],
      ['Handshake', true],
    ],
  );
  assert.deepEqual(closes, [1000]);
  assert.deepEqual([requests[0]?.url, requests[0]?.headers['x-one']], ['/live?a=1', 'uno']);
  assert.equal(requests[0]?.headers['sec-websocket-extensions'], undefined);
  assert.deepEqual(Object.keys(seen.timings_ms ?? {}).sort(), ['connect', 'first_byte', 'total']);
});

test('a message is echoed, also over TLS', async (t) => {
  for (const secure of [false, true]) {
    const { url } = await serve(t, echo, {}, secure);
    const { seen, judged } = await checkJudged('websocket', { url, send: 'say hello', expect: 'hello' });
    assert.equal(seen.status, 'up', String(seen.detail));
    assert.equal(linesOf(judged).at(-1), 'ok Message: say hello');
  }
});

test('the expected message may come at once, late, or after others', async (t) => {
  const { url } = await serve(t, (socket) => {
    socket.send('welcome');
    socket.send(Buffer.from('ready'), { binary: true });
    setTimeout(() => socket.send('now ready'), 30);
  });
  assert.equal((await checkOnce('websocket', { url, expect: 'welcome' })).status, 'up');
  assert.equal((await checkOnce('websocket', { url, expect: 'now ready' })).status, 'up');
});

test('other messages are a mismatch, none is a timeout, a closed connection says so', async (t) => {
  const other = await serve(t, (socket) => socket.send('something else'));
  const mute = await serve(t);
  const closing = await serve(t, (socket) => socket.close(1001));
  const expecting = (url: string) => checkOnce('websocket', { url, expect: 'pong', timeout_ms: 1_500 });
  assert.deepEqual(verdictOf(await expecting(other.url)), ['down', 'answer_mismatch', 'target_app']);
  assert.deepEqual(verdictOf(await expecting(mute.url)), ['down', 'answer_timeout', 'target_app']);
  const closed = await expecting(closing.url);
  assert.deepEqual(verdictOf(closed), ['down', 'connection_closed', 'target_app']);
  assert.match(closed.detail ?? '', /1001/);
});

test('the agreed subprotocol is the requested one', async (t) => {
  const { url } = await serve(t, undefined, { handleProtocols: (offered) => [...offered][0] ?? false });
  assert.equal((await checkOnce('websocket', { url, subprotocol: 'graphql-ws' })).status, 'up');
  const none = await serve(t, undefined, { handleProtocols: () => false });
  const other = await serve(t, undefined, { handleProtocols: () => 'mqtt' });
  for (const served of [none, other]) {
    const seen = await checkOnce('websocket', { url: served.url, subprotocol: 'graphql-ws' });
    assert.deepEqual(verdictOf(seen), ['down', 'subprotocol_mismatch', 'target_app']);
  }
});

test('a handshake answered with another status is http_status, and redirects are not followed', async (t) => {
  let followed = 0;
  const elsewhere = await httpServer(t, (_, response) => {
    followed += 1;
    response.end();
  });
  const port = await httpServer(t, (incoming, response) => {
    response.writeHead(Number(incoming.url?.slice(1)), { location: `http://127.0.0.1:${elsewhere}/` }).end();
  });
  for (const status of [200, 301, 401, 404, 503]) {
    const seen = await checkOnce('websocket', { url: `ws://127.0.0.1:${port}/${status}` });
    assert.deepEqual(
      [...verdictOf(seen), seen.response_code],
      ['down', 'http_status', 'target_http', status],
    );
  }
  assert.equal(followed, 0);
});

test('a server with a wrong accept header, and one that speaks no HTTP, are no WebSocket servers', async (t) => {
  const answering = async (answer: string) => {
    const port = await tcpServer(t, (socket) => socket.once('data', () => socket.end(answer)));
    return verdictOf(await checkOnce('websocket', { url: `ws://127.0.0.1:${port}/` }));
  };
  const accepted = 'HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n';
  assert.deepEqual(await answering(`${accepted}Sec-WebSocket-Accept: wrong\r\n\r\n`), [
    'down',
    'invalid_handshake',
    'target_http',
  ]);
  assert.deepEqual(await answering('220 ready\r\n'), ['down', 'invalid_response', 'target_http']);
  assert.deepEqual(await answering(''), ['down', 'response_reset', 'target_http']);
});

test('a 101 without an upgrade is no open connection', async (t) => {
  const port = await tcpServer(t, (socket) => {
    socket.on('error', () => undefined).once('data', () => socket.write('HTTP/1.1 101 Yes\r\n\r\n'));
  });
  for (const expect of [null, 'hello']) {
    const seen = await checkOnce('websocket', { url: `ws://127.0.0.1:${port}/`, expect });
    assert.deepEqual(verdictOf(seen), ['down', 'invalid_handshake', 'target_http']);
  }
});

test('a message over 1 MiB, and a flood of small ones, are abandoned', async (t) => {
  const large = await serve(t, (socket) => socket.send('x'.repeat(1_100_000)));
  const flood = await serve(t, (socket) => {
    for (let n = 0; n < 20; n += 1) socket.send('x'.repeat(100_000));
  });
  for (const { url } of [large, flood]) {
    const seen = await checkOnce('websocket', { url, expect: 'pong' });
    assert.deepEqual(verdictOf(seen), ['down', 'answer_too_large', 'target_app']);
  }
});

test('frames that break the protocol are an invalid answer', async (t) => {
  const { url } = await serve(t, (socket) => {
    (socket as unknown as { _socket: NodeJS.WritableStream })._socket.write(Buffer.from([0xf1, 0x00]));
  });
  const seen = await checkOnce('websocket', { url, expect: 'pong' });
  assert.deepEqual(verdictOf(seen), ['down', 'invalid_answer', 'target_app']);
});

test('refused, silent and untrusted connections are distinguished, in time', async (t) => {
  const at = async (url: string) => verdictOf(await checkOnce('websocket', { url, timeout_ms: 1_500 }));
  const closed = await closedPort();
  assert.deepEqual(await at(`ws://127.0.0.1:${closed}/`), ['down', 'connect_refused', 'target_connect']);
  const silent = await tcpServer(t, () => undefined);
  assert.deepEqual(await at(`ws://127.0.0.1:${silent}/`), ['down', 'answer_timeout', 'target_app']);
  assert.deepEqual(await at(`wss://127.0.0.1:${silent}/`), ['down', 'tls_timeout', 'target_tls']);
  const { url } = await serve(t, echo, {}, true);
  const resolver = async () => [{ address: '127.0.0.1', family: 4 as const }];
  const named = url.replace('127.0.0.1', 'other.test');
  const seen = await checkOnce('websocket', { url: named }, { resolver });
  assert.deepEqual(verdictOf(seen), ['down', 'tls_hostname_mismatch', 'target_tls']);
});

/** A server that accepts the handshake and then sends anything over the bare socket. */
function accepting(t: TestContext, then: (socket: Socket) => void = () => undefined): Promise<number> {
  return tcpServer(t, (socket) => {
    socket
      .on('error', () => undefined)
      .once('data', (head) => {
        const key = /sec-websocket-key: (.*)\r\n/i.exec(head.toString())?.[1] ?? '';
        const accept = createHash('sha1')
          .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
          .digest('base64');
        socket.write(
          `HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
        );
        then(socket);
      });
  });
}

const sending = (bytes: number[]) => (socket: Socket) => flood(socket, Buffer.from(bytes));

for (const [what, frame] of [
  ['one-letter messages', [0x81, 0x01, 0x41]],
  ['empty binary messages', [0x82, 0x00]],
  ['pings', [0x89, 0x00]],
  ['pongs', [0x8a, 0x00]],
] as const) {
  test(`endless ${what} are abandoned after 1,000, and no further one is parsed`, async (t) => {
    const port = await accepting(t, sending([...frame]));
    const emitted = t.mock.method(Client.prototype, 'emit').mock;
    const seen = await checkOnce('websocket', { url: `ws://127.0.0.1:${port}/`, expect: 'zzz' });
    assert.deepEqual(verdictOf(seen), ['down', 'answer_too_large', 'target_app']);
    assert.match(seen.detail ?? '', /more than 1000 pieces/);
    const pieces = emitted.calls.filter(({ arguments: [event] }) =>
      ['message', 'ping', 'pong'].includes(String(event)),
    );
    assert.equal(pieces.length, 1_001);
  });
}

test('a message in endless empty fragments is abandoned', async (t) => {
  const port = await accepting(t, (socket) => {
    socket.write(Buffer.from([0x01, 0x00]));
    flood(socket, Buffer.from([0x00, 0x00]));
  });
  const seen = await checkOnce('websocket', { url: `ws://127.0.0.1:${port}/`, expect: 'zzz' });
  assert.deepEqual(verdictOf(seen), ['down', 'answer_too_large', 'target_app']);
  assert.match(seen.detail ?? '', /more than 256 pieces/);
});

test('unexpected messages end the closing handshake, not the check', async (t) => {
  const port = await accepting(t, sending([0x81, 0x01, 0x41]));
  const emitted = t.mock.method(Client.prototype, 'emit').mock;
  assert.equal((await checkOnce('websocket', { url: `ws://127.0.0.1:${port}/` })).status, 'up');
  const messages = emitted.calls.filter(({ arguments: [event] }) => String(event) === 'message');
  assert.ok(messages.length <= 1_001, String(messages.length));
});

test('the expected message is found among 900', async (t) => {
  const { url } = await serve(t, (socket) => {
    for (let n = 0; n < 900; n += 1) socket.send(`tick ${n}`);
  });
  assert.equal((await checkOnce('websocket', { url, expect: 'tick 899' })).status, 'up');
});

test('an endless series of 1xx responses is no WebSocket server', async (t) => {
  const port = await tcpServer(t, (socket) => {
    flood(socket, Buffer.from('HTTP/1.1 103 Early\r\n\r\n'));
  });
  const seen = await checkOnce('websocket', { url: `ws://127.0.0.1:${port}/`, expect: 'zzz' });
  assert.deepEqual(verdictOf(seen), ['down', 'invalid_response', 'target_http']);
});

test('a server that never completes the close delays nothing', async (t) => {
  const port = await accepting(t);
  const seen = await checkOnce('websocket', { url: `ws://127.0.0.1:${port}/`, degraded_after_ms: 300 });
  assert.equal(seen.status, 'up', 'the goodbye is not part of the latency');
});
