import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closedPort, httpServer, tcpServer } from '#test/harness/listeners.ts';
import { makeSend } from './send.ts';

const BODY = { headers: { 'content-type': 'application/json' }, body: '{"a":"Ω"}', timeoutMs: 15_000 };

test('the exact bytes are sent, and the status and Retry-After are returned', async (t) => {
  let got = '';
  const port = await httpServer(t, (request, response) => {
    request.setEncoding('utf8').on('data', (chunk: string) => {
      got += chunk;
    });
    request.on('end', () => response.writeHead(429, { 'retry-after': '7' }).end('later'));
  });
  const answer = await makeSend({ allowPrivate: true })({ url: `http://127.0.0.1:${port}/`, ...BODY });
  assert.equal(got, BODY.body);
  assert.ok(answer.kind === 'answered');
  assert.deepEqual([answer.status, answer.retryAfter, answer.body], [429, '7', 'later']);
});

test('a receiver that accepts the request and hangs is abandoned in time', async (t) => {
  const port = await httpServer(t, () => undefined);
  const answer = await makeSend({ allowPrivate: true })({
    url: `http://127.0.0.1:${port}/`,
    ...BODY,
    timeoutMs: 100,
  });
  assert.ok(answer.kind === 'failed');
  assert.match(answer.failureClass, /timeout/);
});

test('a receiver that trickles its answer without end is abandoned in time', async (t) => {
  const port = await tcpServer(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n');
    const drip = setInterval(() => socket.write('x'), 10);
    socket.on('close', () => clearInterval(drip));
  });
  const answer = await makeSend({ allowPrivate: true })({
    url: `http://127.0.0.1:${port}/`,
    ...BODY,
    timeoutMs: 200,
  });
  assert.equal(answer.kind, 'failed');
});

test('an unreachable receiver, a non-HTTP one, and a forbidden address fail with their class', async (t) => {
  const nobody = await closedPort();
  const refused = await makeSend({ allowPrivate: true })({ url: `http://127.0.0.1:${nobody}/`, ...BODY });
  assert.deepEqual(
    [refused.kind, refused.kind === 'failed' && refused.failureClass],
    ['failed', 'connect_refused'],
  );
  const noise = await tcpServer(t, (socket) => void socket.end('this is no HTTP\r\n\r\n'));
  assert.equal(
    (await makeSend({ allowPrivate: true })({ url: `http://127.0.0.1:${noise}/`, ...BODY })).kind,
    'failed',
  );
  const blocked = await makeSend({ allowPrivate: false })({ url: `http://127.0.0.1:${noise}/`, ...BODY });
  assert.deepEqual(
    [blocked.kind, blocked.kind === 'failed' && blocked.failureClass],
    ['failed', 'blocked_target'],
  );
});
