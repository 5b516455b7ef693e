import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import { checkHttp } from '#test/harness/http-check.ts';
import { flood, httpServer, tcpServer } from '#test/harness/listeners.ts';

const AT_HOME = { keepPrivate: true };
/** How long a check waits for the beginning of a body. */
const WAIT_MS = 250;

/** The excerpt of a failed check of a target with this answer. */
async function answerOf(
  t: TestContext,
  respond: (response: ServerResponse) => void,
  config: Partial<HttpConfig> = {},
) {
  const port = await httpServer(t, (_, response) => respond(response));
  const seen = await checkHttp({ url: `http://127.0.0.1:${port}/`, ...config }, AT_HOME);
  assert.equal(seen.status, 'down');
  return seen.response_excerpt ?? assert.fail('nothing was kept');
}

test('a failed check keeps the headers and the first 2 KiB of the body', async (t) => {
  const kept = await answerOf(t, (response) =>
    response
      .writeHead(500, { 'content-type': 'text/html', 'X-Served': 'a' })
      .end(`<h1>Pool exhausted</h1>${' ok'.repeat(2_000)}`),
  );
  assert.equal(kept.status_code, 500);
  assert.deepEqual(kept.headers.slice(0, 2), [
    { name: 'content-type', value: 'text/html' },
    { name: 'X-Served', value: 'a' },
  ]);
  assert.match(kept.body ?? '', /^<h1>Pool exhausted<\/h1> ok ok/);
  assert.equal(Buffer.byteLength(kept.body ?? ''), 2_048);
  assert.deepEqual(
    [kept.body_kind, kept.truncated, kept.withheld, kept.private],
    ['text', true, false, true],
  );
});

test('a passed check keeps nothing, and neither does a failed one that may not', async (t) => {
  const port = await httpServer(t, (incoming, response) =>
    response.writeHead(incoming.url === '/bad' ? 500 : 200).end('x'),
  );
  const excerpt = async (path: string, config: Partial<HttpConfig> = {}) =>
    (await checkHttp({ url: `http://127.0.0.1:${port}${path}`, ...config }, AT_HOME)).response_excerpt;
  assert.equal(await excerpt('/'), undefined);
  assert.equal(await excerpt('/bad', { keep_response: false }), undefined);
  assert.ok(await excerpt('/bad'));
});

test('the response of a private target is withheld if its region says so', async (t) => {
  const port = await httpServer(t, (_, response) =>
    response.writeHead(500, { 'X-Inside': 'a' }).end('inside'),
  );
  const seen = await checkHttp({ url: `http://127.0.0.1:${port}/` });
  assert.deepEqual(seen.response_excerpt, {
    status_code: 500,
    private: true,
    headers: [],
    body: null,
    body_kind: 'unread',
    truncated: false,
    withheld: true,
  });
});

const brotliQuickly = (body: Buffer) =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

test('a failed assertion keeps the response that it judged, whole or compressed', async (t) => {
  const keyword = { text: 'needle', mode: 'contains', case_sensitive: true } as const;
  const long = Buffer.from(Array.from({ length: 40_000 }, (_, n) => `line ${n * 7919} of it\n`).join(''));
  for (const [encoding, pack] of [
    ['gzip', gzipSync],
    ['br', brotliQuickly],
    ['deflate', deflateSync],
  ] as const) {
    // Compressed before the check, whose time it would use otherwise.
    const [short, large] = [pack(Buffer.from('hay')), pack(long)];
    const whole = await answerOf(t, (r) => r.writeHead(200, { 'content-encoding': encoding }).end(short), {
      keyword,
    });
    assert.deepEqual([whole.body, whole.truncated], ['hay', false], encoding);
    const cut = await answerOf(t, (r) => r.writeHead(503, { 'content-encoding': encoding }).end(large), {
      keyword,
    });
    assert.match(cut.body ?? '', /^line 0 of it\nline 7919 of it\n/, encoding);
    assert.deepEqual([cut.truncated, (cut.body ?? '').length <= 2_048], [true, true]);
  }
  const header = await answerOf(t, (r) => r.end('hay'), {
    header_assertions: [{ name: 'x-version', op: 'exists' }],
  });
  assert.equal(header.body, 'hay');
});

test('credentials that a target echoes are masked wherever they appear', async (t) => {
  const secret = 'open-sesame-42';
  const kept = await answerOf(
    t,
    (response) =>
      response
        .writeHead(500, {
          'set-cookie': `sid=${secret}; HttpOnly`,
          location: `https://nora:${secret}@a.example/?token=${secret}`,
          'x-echo': secret,
          'x-other': Buffer.from(`me:${secret}`).toString('base64'),
          'content-type': 'application/json',
        })
        .end(
          JSON.stringify({
            said: `Bearer ${secret}`,
            again: secret,
            key: 'other',
            url: encodeURIComponent(secret),
          }),
        ),
    { auth: { kind: 'bearer', token: secret } },
  );
  assert.doesNotMatch(JSON.stringify(kept), /sesame/);
  assert.match(
    kept.headers.find(({ name }) => name === 'location')?.value ?? '',
    /^https:\/\/••••@a\.example\/\?token=••••$/,
  );
});

test('a credential cut by the limit is dropped, not shown in part', async (t) => {
  for (const at of [2_020, 2_040, 2_047, 2_540, 2_555]) {
    const token = 'q7Rk2ZpV9xLm4TnB8sWdq7Rk2ZpV9xLm4TnB8sWd';
    // Masking removes text before the end, so the end of what was read becomes visible.
    const masked = at > 2_100 ? `token=${'y'.repeat(700)} ` : '';
    const body = `${masked}${'a b '.repeat((at - masked.length) / 4)}${token} and more${' x'.repeat(4_000)}`;
    const kept = await answerOf(t, (response) => response.writeHead(500).end(body));
    assert.doesNotMatch(kept.body ?? '', /q7R/, String(at));
  }
});

test('if a body cannot be shown, the reason is reported, and none of it is shown', async (t) => {
  const kind = async (headers: Record<string, string>, body: string | Buffer) => {
    const { body: text, body_kind } = await answerOf(t, (response) =>
      response.writeHead(500, headers).end(body),
    );
    return [body_kind, text];
  };
  assert.deepEqual(await kind({}, ''), ['empty', null]);
  assert.deepEqual(await kind({ 'content-type': 'image/png' }, 'text'), ['binary', null]);
  assert.deepEqual(await kind({ 'content-type': 'text/html' }, Buffer.alloc(500, 1)), ['binary', null]);
  assert.deepEqual(await kind({}, Buffer.from(Array.from({ length: 900 }, (_, n) => (n * 131) % 256))), [
    'binary',
    null,
  ]);
  assert.deepEqual(await kind({ 'content-encoding': 'zstd' }, 'text'), ['binary', null]);
  assert.deepEqual(await kind({ 'content-encoding': 'gzip' }, 'text'), ['binary', null]);
  assert.deepEqual(
    await kind({ 'content-type': 'text/plain; charset=iso-8859-1' }, Buffer.from('h\xf6ren', 'latin1')),
    ['text', 'hören'],
  );
  assert.deepEqual(
    await kind({ 'content-type': 'text/plain; charset=utf-16le' }, Buffer.from('hören', 'utf16le')),
    ['text', 'hören'],
  );
  assert.deepEqual(await kind({ 'content-type': 'text/plain; charset=nonsense' }, 'hören'), [
    'text',
    'hören',
  ]);
});

test('a body is shown without bidirectional, invisible or control characters', async (t) => {
  const kept = await answerOf(t, (response) =>
    response
      .writeHead(500, { 'content-type': 'text/plain; charset=utf-8' })
      .end('ab\u202ecd\u2066e\u200bf\u0007g\r\nnext\ttab'),
  );
  assert.equal(kept.body, 'ab\ufffdcd\ufffde\ufffdf\ufffdg\nnext\ttab');
});

test('an endless body, a slow one and one in tiny pieces delay the result only briefly', async (t) => {
  const endless = await answerOf(t, (response) => {
    const more = () => response.destroyed || response.write('word '.repeat(10_000), () => setImmediate(more));
    response.writeHead(500);
    more();
  });
  assert.match(endless.body ?? '', /^word word/);
  const slow = await tcpServer(t, (socket) =>
    socket.once('data', () => socket.write('HTTP/1.1 500 No\r\ncontent-length: 9999\r\n\r\nbegin ning')),
  );
  const begunMs = performance.now();
  const seen = await checkHttp({ url: `http://127.0.0.1:${slow}/`, timeout_ms: 60_000 }, AT_HOME);
  const tookMs = performance.now() - begunMs;
  assert.deepEqual([seen.response_excerpt?.body, seen.response_excerpt?.truncated], ['begin ', true]);
  assert.ok(
    (seen.latency_ms ?? tookMs) + WAIT_MS / 2 <= tookMs,
    `the latency of ${seen.latency_ms} ms is that of the answer, not of the wait for its body, of ${tookMs} ms`,
  );
  const mute = await tcpServer(t, (socket) =>
    socket.once('data', () => socket.write('HTTP/1.1 500 No\r\ncontent-length: 9999\r\n\r\n')),
  );
  const head = await checkHttp({ url: `http://127.0.0.1:${mute}/`, timeout_ms: 60_000 }, AT_HOME);
  assert.deepEqual([head.response_excerpt?.body, head.response_excerpt?.body_kind], [null, 'unread']);
  const crumbs = await tcpServer(t, (socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n');
      flood(socket, Buffer.from('1\r\na\r\n'));
    }),
  );
  assert.equal((await checkHttp({ url: `http://127.0.0.1:${crumbs}/` }, AT_HOME)).response_code, 500);
});

test('a response that breaks off or never ends keeps the part that arrived', async (t) => {
  const port = await tcpServer(t, (socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nx-app: shop\r\ncontent-length: 99\r\n\r\nhalf an');
      setImmediate(() => socket.end());
    }),
  );
  const broken = await checkHttp({ url: `http://127.0.0.1:${port}/` }, AT_HOME);
  assert.equal(broken.failure_class, 'response_reset');
  assert.deepEqual(
    [broken.response_excerpt?.headers[0], broken.response_excerpt?.body],
    [{ name: 'x-app', value: 'shop' }, 'half '],
  );
});

test('after redirects the last response is kept, and many or long headers are limited', async (t) => {
  const port = await httpServer(t, (incoming, response) => {
    if (incoming.url === '/')
      return response.writeHead(302, { location: '/next', 'x-first': 'a' }).end('first');
    for (let n = 0; n < 100; n += 1) response.setHeader(`x-${n}`, 'v '.repeat(n === 0 ? 2_000 : 5));
    return response.writeHead(404).end('gone');
  });
  const { response_excerpt: kept } = await checkHttp({ url: `http://127.0.0.1:${port}/` }, AT_HOME);
  assert.equal(kept?.status_code, 404);
  assert.equal(kept?.body, 'gone');
  assert.equal(kept?.headers.length, 64);
  assert.equal(kept?.headers[0]?.value.length, 512);
});

test('a fault of the probe itself keeps nothing', async (t) => {
  const port = await httpServer(t, (_, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  );
  const seen = await checkHttp({ url: `http://127.0.0.1:${port}/` }, AT_HOME);
  assert.deepEqual([seen.cause_layer, seen.response_excerpt], ['probe', undefined]);
});
