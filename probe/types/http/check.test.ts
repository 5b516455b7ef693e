import assert from 'node:assert/strict';
import { IncomingMessage, type ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { checkHttp } from '#test/harness/http-check.ts';
import { blackHole, closedPort, flood, httpServer, tcpServer } from '#test/harness/listeners.ts';

const at = (port: number, path = '/') => `http://127.0.0.1:${port}${path}`;

test('a good response is up, with its code and the time of every phase', async (t) => {
  const port = await httpServer(t, (_, response) => response.end('fine'));
  const seen = await checkHttp({ url: at(port) });
  assert.equal(seen.status, 'up');
  assert.equal(seen.response_code, 200);
  assert.equal(seen.failure_class, undefined);
  assert.deepEqual(Object.keys(seen.timings_ms ?? {}).sort(), ['connect', 'first_byte', 'total']);
  assert.equal(seen.latency_ms, seen.timings_ms?.total);
});

test('method, headers, body and credentials are sent as configured', async (t) => {
  let seen: IncomingMessage | undefined;
  let body = '';
  const port = await httpServer(t, async (incoming, response) => {
    seen = incoming;
    for await (const chunk of incoming) body += chunk;
    response.end();
  });
  await checkHttp({
    url: at(port, '/a b?q=ü#part'),
    method: 'PUT',
    headers: { 'X-One': '1', 'content-type': 'text/plain', Host: 'virtual.test', Connection: 'keep-alive' },
    body: 'hällo',
    auth: { kind: 'basic', username: 'me', password: 'pä:ss' },
  });
  assert.equal(seen?.method, 'PUT');
  assert.equal(seen?.url, '/a%20b?q=%C3%BC');
  assert.equal(body, 'hällo');
  const { headers } = seen ?? assert.fail();
  assert.deepEqual(
    [headers.host, headers['x-one'], headers['content-type'], headers['content-length'], headers.connection],
    ['virtual.test', '1', 'text/plain', '6', 'close'],
  );
  assert.equal(headers.authorization, `Basic ${Buffer.from('me:pä:ss').toString('base64')}`);
});

test('a bearer token is sent, and credentials in the address are', async (t) => {
  const sent: unknown[] = [];
  const port = await httpServer(t, (incoming, response) => {
    sent.push(incoming.headers.authorization);
    response.end();
  });
  await checkHttp({ url: at(port), auth: { kind: 'bearer', token: 'abc' } });
  await checkHttp({ url: `http://us%20er:pw@127.0.0.1:${port}/` });
  assert.deepEqual(sent, ['Bearer abc', `Basic ${Buffer.from('us er:pw').toString('base64')}`]);
});

test('cache_bust makes every request unique', async (t) => {
  const urls = new Set<string | undefined>();
  const port = await httpServer(t, (incoming, response) => {
    urls.add(incoming.url);
    assert.equal(incoming.headers['cache-control'], 'no-cache');
    response.end();
  });
  await checkHttp({ url: at(port, '/?a&b=%20'), cache_bust: true });
  await checkHttp({ url: at(port, '/?a&b=%20'), cache_bust: true });
  assert.equal(urls.size, 2);
  for (const url of urls) assert.match(url ?? '', /^\/\?a&b=%20&_tocsin=\d+$/);
});

test('expected_status decides which responses are down', async (t) => {
  const port = await httpServer(t, (incoming, response) =>
    response.writeHead(Number(incoming.url?.slice(1))).end('x'),
  );
  const verdict = async (status: number, expected_status: string[]) =>
    (await checkHttp({ url: at(port, `/${status}`), expected_status })).status;
  assert.equal(await verdict(204, ['200-299']), 'up');
  assert.equal(await verdict(404, ['200-299', '404']), 'up');
  assert.equal(await verdict(500, ['200-299']), 'down');
  const seen = await checkHttp({ url: at(port, '/503') });
  assert.deepEqual(
    [seen.failure_class, seen.cause_layer, seen.response_code, seen.detail],
    ['http_status', 'target_http', 503, 'Answered 503; expected 200-299'],
  );
});

test('a slow response is degraded and never down', async (t) => {
  const port = await httpServer(t, (_, response) => setTimeout(() => response.end(), 60));
  const seen = await checkHttp({ url: at(port), degraded_after_ms: 20 });
  assert.deepEqual([seen.status, seen.failure_class], ['degraded', 'slow']);
  assert.equal((await checkHttp({ url: at(port), degraded_after_ms: 5_000 })).status, 'up');
});

test('the timeout covers the whole check, and the detail names the phase', async (t) => {
  const phase = async (url: string) => {
    const seen = await checkHttp({ url, timeout_ms: 600 });
    return [seen.status, seen.failure_class, seen.cause_layer];
  };
  const silent = await httpServer(t, () => undefined);
  assert.deepEqual(await phase(at(silent)), ['down', 'response_timeout', 'target_http']);
  const hole = await blackHole(t, '127.0.0.6');
  assert.deepEqual(await phase(`http://127.0.0.6:${hole}/`), ['down', 'connect_timeout', 'target_connect']);
  const mute = await tcpServer(t, () => undefined);
  assert.deepEqual(await phase(`https://127.0.0.1:${mute}/`), ['down', 'tls_timeout', 'target_tls']);
  const dripping = await tcpServer(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
    const drip = setInterval(() => socket.write('.'), 10);
    socket.on('close', () => clearInterval(drip));
  });
  assert.deepEqual(await phase(at(dripping)), ['down', 'response_timeout', 'target_http']);
});

test('an invalid, aborted or refused response is down with its class', async (t) => {
  const raw = async (answer: string | null, reset = false) => {
    const port = await tcpServer(t, (socket) =>
      socket.once('data', () => {
        if (answer !== null) socket.write(answer);
        // The reset must not overtake the bytes before it.
        setImmediate(() => (reset ? socket.resetAndDestroy() : socket.end()));
      }),
    );
    const { status, failure_class, cause_layer } = await checkHttp({ url: at(port) });
    return [status, failure_class, cause_layer];
  };
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n';
  assert.deepEqual(await raw('220 mail ready\r\n'), ['down', 'invalid_response', 'target_http']);
  assert.deepEqual(await raw(null), ['down', 'response_reset', 'target_http']);
  assert.deepEqual(await raw(`${head}begin`), ['down', 'response_reset', 'target_http']);
  assert.deepEqual(await raw(`${head}begin`, true), ['down', 'response_reset', 'target_http']);
  const large = `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`;
  assert.deepEqual(await raw(large), ['down', 'headers_too_large', 'target_http']);
  const refused = await checkHttp({ url: at(await closedPort()) });
  assert.deepEqual([refused.failure_class, refused.cause_layer], ['connect_refused', 'target_connect']);
});

test('a body that no assertion needs is not read to its end', async (t) => {
  let sent = 0;
  const port = await httpServer(t, (_, response) => {
    const more = () => {
      if (response.destroyed) return;
      sent += 65_536;
      response.write('x'.repeat(65_536), () => setImmediate(more));
    };
    more();
  });
  assert.equal((await checkHttp({ url: at(port) })).status, 'up');
  assert.ok(sent < 20_000_000, `${sent} bytes were taken`);
});

test('an event stream is judged by its headers', async (t) => {
  const port = await httpServer(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
  });
  assert.equal((await checkHttp({ url: at(port) })).status, 'up');
});

test('compressed bodies are read, with one level of encoding, up to the limit', async (t) => {
  const text = `${'filler '.repeat(100)}needle`;
  const bodies: Record<string, [string, Buffer]> = {
    gzip: ['gzip', gzipSync(text)],
    br: ['br', brotliCompressSync(text)],
    zlib: ['deflate', deflateSync(text)],
    raw: ['deflate', deflateRawSync(text)],
    bomb: ['gzip', gzipSync(Buffer.alloc(50_000_000))],
    twice: ['gzip, gzip', gzipSync(gzipSync(text))],
    torn: ['gzip', gzipSync(text).subarray(0, 30)],
    alien: ['zstd', Buffer.from(text)],
  };
  const port = await httpServer(t, (incoming, response) => {
    const [encoding, body] = bodies[incoming.url?.slice(1) ?? ''] ?? assert.fail();
    assert.equal(incoming.headers['accept-encoding'], 'gzip, deflate, br');
    response.writeHead(200, { 'content-encoding': encoding }).end(body);
  });
  const keyword = { text: 'needle', mode: 'contains', case_sensitive: true } as const;
  for (const [name, expected] of Object.entries({
    gzip: undefined,
    br: undefined,
    zlib: undefined,
    raw: undefined,
    bomb: 'body_too_large',
    twice: 'invalid_response',
    torn: 'invalid_response',
    alien: 'invalid_response',
  })) {
    const seen = await checkHttp({ url: at(port, `/${name}`), keyword });
    assert.deepEqual([name, seen.failure_class], [name, expected]);
  }
});

test('a body above max_body_bytes is not judged', async (t) => {
  const answer = (response: ServerResponse, chunked: boolean) => {
    if (!chunked) response.setHeader('content-length', 3_000);
    response.write('x'.repeat(1_500));
    response.end('x'.repeat(1_500));
  };
  const port = await httpServer(t, (incoming, response) => answer(response, incoming.url === '/chunked'));
  for (const path of ['/plain', '/chunked']) {
    const seen = await checkHttp({
      url: at(port, path),
      max_body_bytes: 2_000,
      keyword: { text: 'x', mode: 'contains', case_sensitive: false },
    });
    assert.deepEqual([seen.status, seen.failure_class], ['down', 'body_too_large']);
    assert.match(seen.detail ?? '', /larger than 2000 bytes/);
  }
});

const keyword = { text: 'b', mode: 'contains', case_sensitive: false } as const;

/** An answer whose body is an endless series of one-byte chunks. */
const crumbling = (t: TestContext) =>
  tcpServer(t, (socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      flood(socket, Buffer.from('1\r\na\r\n'));
    });
  });

for (const [use, most] of [
  ['needed', 8_250],
  ['watched', 1_024],
] as const)
  test(`a body that is ${use} and arrives in a flood of tiny pieces is abandoned early`, async (t) => {
    const port = await crumbling(t);
    const emitted = t.mock.method(IncomingMessage.prototype, 'emit').mock;
    const wanted = use === 'needed' ? { keyword } : {};
    const seen = await checkHttp({ url: at(port), ...wanted });
    assert.deepEqual(
      [seen.status, seen.failure_class],
      use === 'needed' ? ['down', 'invalid_response'] : ['up', undefined],
    );
    const pieces = emitted.calls.filter(({ arguments: [event] }) => String(event) === 'data').length;
    assert.ok(pieces > 0 && pieces <= most, String(pieces));
  });

test('a legitimate stream, in lines or in blocks, is read whole', async (t) => {
  const port = await httpServer(t, async (incoming, response) => {
    const [count, bytes] = incoming.url === '/lines' ? [8_000, 10] : [12_000, 300];
    for (let n = 0; n < count; n += 1) response.write('a'.repeat(bytes));
    response.end('b');
  });
  for (const path of ['/lines', '/blocks']) {
    const seen = await checkHttp({ url: at(port, path), keyword, max_body_bytes: 4_194_304 });
    assert.equal(seen.status, 'up', String(seen.detail));
  }
});

test('an endless series of 1xx responses is no response', async (t) => {
  const port = await tcpServer(t, (socket) => flood(socket, Buffer.from('HTTP/1.1 103 Early\r\n\r\n')));
  const seen = await checkHttp({ url: at(port) });
  assert.deepEqual([seen.status, seen.failure_class], ['down', 'invalid_response']);
  assert.match(seen.detail ?? '', /more than 100 informational/);
});

test('HEAD, 204 and 101 need no body', async (t) => {
  const port = await httpServer(t, (incoming, response) => {
    if (incoming.method === 'HEAD') response.setHeader('content-length', 100);
    response.writeHead(incoming.method === 'HEAD' ? 200 : 204).end();
  });
  assert.equal((await checkHttp({ url: at(port), method: 'HEAD' })).status, 'up');
  assert.equal((await checkHttp({ url: at(port) })).response_code, 204);
  const upgrading = await tcpServer(t, (socket) =>
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ),
  );
  assert.equal((await checkHttp({ url: at(upgrading), expected_status: ['101'] })).status, 'up');
});

test('the network policy blocks a target without calling it an outage', async () => {
  for (const url of [
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://[::ffff:7f00:1]/',
  ]) {
    const seen = await checkHttp({ url }, { policy: { allowPrivate: false } });
    assert.deepEqual([seen.failure_class, seen.cause_layer], ['blocked_target', 'probe']);
  }
});

test('a config that Node refuses is not reported as an outage', async (t) => {
  const port = await httpServer(t, (_, response) => response.end());
  const refused: Parameters<typeof checkHttp>[0][] = [
    { url: at(port), headers: { 'X-Bad': 'line\r\nbreak' } },
    { url: at(port), headers: { 'bad name': 'x' } },
    { url: 'ftp://127.0.0.1/' },
    { url: 'not an address' },
  ];
  for (const config of refused) {
    const seen = await checkHttp(config);
    assert.deepEqual([seen.failure_class, seen.cause_layer], ['invalid_config', 'probe']);
    assert.doesNotMatch(seen.detail ?? '', /break/);
  }
});

test('IPv6 literals and ip_family work', async (t) => {
  const port = await httpServer(t, (_, response) => response.end(), '::1');
  assert.equal((await checkHttp({ url: `http://[::1]:${port}/`, ip_family: '6' })).status, 'up');
  const resolver = async (_: string, family: string) =>
    family === '6'
      ? [{ address: '::1', family: 6 as const }]
      : // No test listens there: at 127.0.0.1 one might, on the same port.
        [{ address: '127.45.67.89', family: 4 as const }];
  const url = `http://six.test:${port}/`;
  assert.equal((await checkHttp({ url, ip_family: '6' }, { resolver })).status, 'up');
  assert.equal((await checkHttp({ url, ip_family: '4' }, { resolver })).failure_class, 'connect_refused');
});

test('a cancelled check says aborted', async (t) => {
  const stop = new AbortController();
  const port = await httpServer(t, () => stop.abort());
  const seen = await checkHttp({ url: at(port) }, { signal: stop.signal });
  assert.equal(seen.failure_class, 'aborted');
});
