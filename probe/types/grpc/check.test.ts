import assert from 'node:assert/strict';
import http2, { type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { before, type TestContext, test } from 'node:test';
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import type { Authority } from '#test/harness/certificates.ts';
import { closedPort, httpServer, httpsServer, tcpServer } from '#test/harness/listeners.ts';
import { checkJudged, checkOnce, linesOf, verdictOf } from '#test/harness/one-check.ts';
import { trustedAuthority } from '#test/harness/trust.ts';
import { healthCheck } from './health.ts';

let trusted: Authority;
before(async () => {
  trusted = await trustedAuthority();
});

type Answer = (service: string, metadata: Headers) => number | Promise<number>;

/** A gRPC server with a health service that gives these answers; null: without one. */
async function serve(t: TestContext, answer: Answer | null, tls = false): Promise<number> {
  const routes = (router: ConnectRouter) => {
    if (answer === null) return;
    router.rpc(healthCheck, async (request, { requestHeader }) => ({
      status: await answer(String((request as { service?: unknown }).service), requestHeader),
    }));
  };
  const handler = connectNodeAdapter({ routes });
  const server = tls ? http2.createSecureServer(await trusted.issue(), handler) : http2.createServer(handler);
  return listen(t, server);
}

async function listen(t: TestContext, server: http2.Http2Server | http2.Http2SecureServer): Promise<number> {
  const sessions = new Set<http2.Http2Session>();
  server.on('session', (session: http2.Http2Session) => {
    sessions.add(session);
    session.on('error', () => undefined);
  });
  t.after(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const at = (port: number, given: Record<string, unknown> = {}) => ({
  host: '127.0.0.1',
  port,
  tls: false,
  ...given,
});

test('SERVING is up, in plain HTTP/2 and over TLS', async (t) => {
  for (const tls of [false, true]) {
    const port = await serve(t, () => 1, tls);
    const { seen, judged } = await checkJudged('grpc', at(port, { tls }));
    assert.deepEqual([seen.status, seen.response_code], ['up', 0], String(seen.detail));
    assert.equal(linesOf(judged).at(-1), 'ok Serving status: SERVING');
  }
});

test('the service name and the metadata reach the server', async (t) => {
  let asked: unknown[] = [];
  const port = await serve(t, (service, metadata) => {
    asked = [service, metadata.get('authorization'), metadata.get('x-tenant')];
    return 1;
  });
  const metadata = { Authorization: 'Bearer t', 'x-tenant': 'blue' };
  await checkOnce('grpc', at(port, { service: 'shop.Cart', metadata }));
  assert.deepEqual(asked, ['shop.Cart', 'Bearer t', 'blue']);
});

for (const [status, failureClass] of [
  [2, 'grpc_not_serving'],
  [0, 'grpc_not_serving'],
  [3, 'grpc_unknown_service'],
] as const) {
  test(`serving status ${status} is ${failureClass}`, async (t) => {
    const seen = await checkOnce('grpc', at(await serve(t, () => status)));
    assert.deepEqual([...verdictOf(seen), seen.response_code], ['down', failureClass, 'target_app', 0]);
  });
}

for (const [code, failureClass] of [
  [Code.NotFound, 'grpc_unknown_service'],
  [Code.Unimplemented, 'grpc_unimplemented'],
  [Code.Unavailable, 'grpc_status'],
  [Code.PermissionDenied, 'grpc_status'],
  [Code.DeadlineExceeded, 'grpc_status'],
  [Code.Internal, 'grpc_status'],
] as const) {
  test(`status ${code} is ${failureClass} with its code`, async (t) => {
    const port = await serve(t, () => {
      throw new ConnectError('because of this', code);
    });
    const seen = await checkOnce('grpc', at(port));
    assert.deepEqual([...verdictOf(seen), seen.response_code], ['down', failureClass, 'target_app', code]);
    if (failureClass === 'grpc_status') assert.match(seen.detail ?? '', /because of this/);
  });
}

test('a server without a health service is grpc_unimplemented', async (t) => {
  const seen = await checkOnce('grpc', at(await serve(t, null)));
  assert.deepEqual(verdictOf(seen), ['down', 'grpc_unimplemented', 'target_app']);
});

test('a server of another protocol is distinguished from a gRPC outage', async (t) => {
  const web = await httpServer(t, (_, response) => response.end('hello'));
  assert.deepEqual(verdictOf(await checkOnce('grpc', at(web))), ['down', 'invalid_answer', 'target_app']);
  const secure = await httpsServer(t, await trusted.issue(), (_, response) => response.end('hello'));
  const seen = await checkOnce('grpc', at(secure, { tls: true }));
  assert.equal(seen.status, 'down');
  assert.ok(['invalid_answer', 'tls_handshake'].includes(seen.failure_class ?? ''), seen.failure_class ?? '');
});

test('refused, silent, aborted and untrusted connections are distinguished, in time', async (t) => {
  const seenAt = async (port: number, given: Record<string, unknown> = {}) =>
    verdictOf(await checkOnce('grpc', at(port, { timeout_ms: 1_500, ...given })));
  assert.deepEqual(await seenAt(await closedPort()), ['down', 'connect_refused', 'target_connect']);
  const silent = await tcpServer(t, () => undefined);
  assert.deepEqual(await seenAt(silent), ['down', 'answer_timeout', 'target_app']);
  const hanging = await serve(t, () => new Promise(() => undefined));
  assert.deepEqual(await seenAt(hanging), ['down', 'answer_timeout', 'target_app']);
  const breaking = await tcpServer(t, (socket) => socket.once('data', () => socket.resetAndDestroy()));
  const [status, failureClass, layer] = await seenAt(breaking);
  assert.deepEqual([status, layer], ['down', 'target_app']);
  assert.ok(['connection_reset', 'connection_closed'].includes(failureClass ?? ''), String(failureClass));
  const secure = await serve(t, () => 1, true);
  const resolver = async () => [{ address: '127.0.0.1', family: 4 as const }];
  const other = await checkOnce('grpc', at(secure, { tls: true, host: 'other.test' }), { resolver });
  assert.deepEqual(verdictOf(other), ['down', 'tls_hostname_mismatch', 'target_tls']);
});

test('a server that is silent after the connection has no time of a first byte', async (t) => {
  const port = await tcpServer(t, () => undefined);
  const seen = await checkOnce('grpc', { host: '127.0.0.1', port, tls: false, timeout_ms: 300 });
  assert.equal(seen.failure_class, 'answer_timeout');
  assert.equal(seen.timings_ms?.first_byte, undefined);
});

test('an answer larger than 64 KiB is not read', async (t) => {
  const server = http2.createServer();
  server.on('stream', (stream: ServerHttp2Stream) => {
    stream.on('error', () => undefined);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc+proto' });
    const head = Buffer.alloc(5);
    head.writeUInt32BE(500_000_000, 1);
    stream.write(head);
  });
  const seen = await checkOnce('grpc', at(await listen(t, server)));
  assert.deepEqual(verdictOf(seen), ['down', 'answer_too_large', 'target_app']);
});

for (const what of ['data', 'headers'] as const)
  test(`an answer in endless tiny frames of ${what} is abandoned`, async (t) => {
    const server = http2.createServer();
    server.on('stream', (stream: ServerHttp2Stream) => {
      stream.on('error', () => undefined);
      const hint = () => {
        if (stream.destroyed) return;
        for (let n = 0; n < 100; n += 1) stream.additionalHeaders({ ':status': 103 });
        setImmediate(hint);
      };
      if (what === 'headers') return hint();
      stream.respond({ ':status': 200, 'content-type': 'application/grpc+proto' });
      stream.write(Buffer.from([0, 0, 0, 0xf0, 0]));
      const drip = () => void (stream.destroyed || stream.write('a', drip));
      drip();
    });
    const port = await listen(t, server);
    const seen = await checkOnce('grpc', at(port, { timeout_ms: 60_000 }));
    assert.deepEqual(verdictOf(seen), ['down', 'answer_too_large', 'target_app']);
    assert.match(seen.detail ?? '', /more than 4096 pieces/);
  });

test('a check leaves no connection open', async (t) => {
  const port = await serve(t, () => 1);
  await checkOnce('grpc', at(port));
  const before = process.getActiveResourcesInfo();
  for (let n = 0; n < 5; n += 1) await checkOnce('grpc', at(port));
  await new Promise((resolve) => setImmediate(resolve));
  const count = (list: string[], what: string) => list.filter((name) => name === what).length;
  assert.equal(count(process.getActiveResourcesInfo(), 'Timeout'), count(before, 'Timeout'));
});
