// What holds for every answer, and for every request that is not as it should be.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { before, test } from 'node:test';
import { PASSWORD, type Place, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { makeClient } from '#test/harness/client.ts';
import { assertErrorBody, assertRefused } from '#test/harness/refused.ts';
import { makeScene } from '#test/harness/scene.ts';

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
});

const ALWAYS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
const NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

type Raw = { status: number; headers: Map<string, string>; body: string };

/** Writes these bytes to the server and reads until it closes. */
async function write(...parts: string[]): Promise<Raw> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  let said = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    said += chunk;
  });
  socket.on('error', () => undefined);
  for (const part of parts) socket.write(part);
  await once(socket, 'close');
  const [head = '', ...rest] = said.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = lines.map((text) => {
    const at = text.indexOf(':');
    return [text.slice(0, at).toLowerCase(), text.slice(at + 1).trim()] as const;
  });
  return { status: Number(line.split(' ')[1]), headers: new Map(headers), body: rest.join('\r\n\r\n') };
}

const requestLine = (method: string, path: string, headers: Record<string, string> = {}) =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: x',
    'connection: close',
    ...Object.entries({ cookie: app.alice.cookie(), ...headers }).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');

const answers: [what: string, ask: () => Promise<{ headers: Headers | Map<string, string> }>][] = [
  ['an answer', () => app.alice.send('GET', '/me/organizations')],
  ['a 204', async () => app.alice.send('DELETE', `/projects/${(await app.place()).projectId}`)],
  ['a 401', () => app.visitor().send('GET', '/me/organizations')],
  ['a 403', () => app.alice.send('POST', '/organizations', {}, { origin: 'https://evil.example' })],
  ['a 400', () => app.alice.send('POST', '/organizations', {})],
  ['a 404 of a path', () => app.visitor().send('GET', '/nothing')],
  ['a 404 of an id', () => app.alice.send('GET', '/monitors/x')],
  ['a path that cannot be decoded', () => app.visitor().send('GET', '/monitors/%ff')],
  ['a body that is no JSON', () => app.alice.send('POST', '/organizations', '{')],
  ['sign-in', () => app.visitor().send('POST', '/auth/sign-in/email', { email: 'x@y.zz', password: 'x' })],
  ['the session', () => app.alice.send('GET', '/auth/get-session')],
  ['metrics', () => app.visitor().send('GET', '/metrics')],
  ['the document', () => app.visitor().send('GET', '/openapi.json')],
  ['HEAD', () => app.alice.send('HEAD', '/me/organizations')],
  ['what is not HTTP', () => write('nonsense\r\n\r\n')],
  ['headers that are too large', () => write(`GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(5000)}\r\n`)],
];
for (const [what, ask] of answers)
  test(`security headers: ${what}`, async () => {
    const { headers } = await ask();
    for (const [name, value] of Object.entries(ALWAYS)) assert.equal(headers.get(name), value, name);
    assert.equal(headers.get('content-security-policy'), NOTHING_RUNS);
    assert.match(headers.get('permissions-policy') ?? '', /camera=\(\)/);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('access-control-allow-origin') ?? null, null);
    assert.equal(headers.get('strict-transport-security') ?? null, null, 'over http');
    assert.equal(headers.get('server') ?? headers.get('x-powered-by') ?? null, null);
  });

test('a page has a policy of its own, without inline scripts', async () => {
  const { headers } = await app.visitor().send('GET', '/docs');
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'self'/);
  assert.match(policy, /form-action 'self'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /script-src[^;]*unsafe/);
  for (const [name, value] of Object.entries(ALWAYS)) assert.equal(headers.get(name), value, name);
});

test('browsers may cache the files of the reference', async () => {
  const { status, headers } = await app.visitor().send('GET', '/docs/assets/swagger-ui.css');
  assert.equal(status, 200);
  assert.notEqual(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
});

test('under https: HSTS on every answer, a Secure cookie, and no write from a page over http', async () => {
  await using https = await startTestApp({ env: { BASE_URL: 'https://tocsin.example.com' } });
  for (const path of ['/healthz', '/nothing', '/monitors/%'])
    assert.match(
      (await https.visitor().send('GET', path)).headers.get('strict-transport-security') ?? '',
      /max-age=31536000/,
    );
  const client = makeClient(https.url);
  const body = { email: 'alice@example.com', password: PASSWORD };
  const signedIn = await client.send('POST', '/auth/sign-in/email', body);
  for (const cookie of signedIn.headers.getSetCookie())
    for (const attribute of [/HttpOnly/i, /SameSite=Lax/i, /; Secure/i, /Path=\//i])
      assert.match(cookie, attribute);
  const create = (origin: string) => client.send('POST', '/organizations', { name: '' }, { origin });
  assert.equal((await create('https://tocsin.example.com')).status, 400);
  assert.equal((await create(`https://${new URL(https.url).host}`)).status, 400, 'the name it was asked at');
  for (const origin of ['http://tocsin.example.com', https.url, 'null', 'https://evil.example'])
    assertRefused(await create(origin), { status: 403, error: 'forbidden' }, origin);
});

test('the answer to a preflight admits no other site', async () => {
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
  for (const path of ['/organizations', '/me/organizations', '/auth/sign-in/email', '/nothing']) {
    const answer = await app.visitor().send('OPTIONS', path, undefined, headers);
    assertRefused(answer, { status: 404, error: 'not_found' }, path);
    const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
    assert.deepEqual(names, [], path);
  }
});

test('a known path with another method is 404, like an unknown one', async () => {
  for (const [method, path] of [
    ['PUT', '/organizations'],
    ['DELETE', '/me/organizations'],
    ['GET', '/auth/sign-in/email'],
    ['TRACE', '/organizations'],
    ['PROPFIND', '/'],
  ] as const) {
    const { status, body } = await write(requestLine(method, path));
    assert.equal(status, 404, `${method} ${path}`);
    assert.equal((JSON.parse(body) as { error: string }).error, 'not_found');
  }
});

const json = { 'content-type': 'application/json' };
const PATH = () => `/organizations/${place.orgId}/projects`;
const MIB = 1024 * 1024;

test('a body over 256 KiB without a config is 413, even in chunks and without a length', async () => {
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const head = requestLine('POST', PATH(), { ...json, 'transfer-encoding': 'chunked' });
  const parts = Array.from({ length: 5 }, () => chunk('x'.repeat(MIB / 16)));
  const chunked = await write(head, ...parts, chunk(''));
  assert.equal(chunked.status, 413);
  assert.equal((JSON.parse(chunked.body) as { error: string }).error, 'payload_too_large');
  const tooLong = await write(
    requestLine('POST', PATH(), { ...json, 'content-length': String(MIB / 4 + 1) }),
  );
  assert.equal(tooLong.status, 413, 'refused by its length, before it is sent');
});

test('a body with a config is read up to exactly 1 MiB', async () => {
  const body = (name: string) => ({ type: 'http', config: { url: 'https://example.com/' }, name });
  const most = MIB - JSON.stringify(body('')).length;
  const send = (length: number) =>
    app.alice.send('POST', `/projects/${place.projectId}/monitors`, body('x'.repeat(length)));
  assertRefused(await send(most), { status: 400, error: 'invalid_request', field: 'name' });
  assertRefused(await send(most + 1), { status: 413, error: 'payload_too_large' });
});

test('bodies whose texts or lists may be long are read beyond 256 KiB too', async () => {
  const { ids } = await makeScene(app, app.alice);
  const page = `/status-pages/${ids.status_page_id}`;
  const organization = `/organizations/${ids.org_id}`;
  for (const [method, path] of [
    ['PUT', `${page}/monitors`],
    ['POST', `${page}/preview`],
    ['PATCH', `${organization}/maintenance-windows/${ids.window_id}`],
    ['PUT', `${organization}/incidents/${ids.incident_id}/postmortem`],
  ] as const) {
    const answer = await app.alice.send(method, path, { monitors: 'x'.repeat(MIB / 2) });
    assertRefused(answer, { status: 400, error: 'invalid_request', field: 'monitors' });
  }
});

test('a body with too many values is refused before they are validated one by one', async () => {
  const body = { name: 'Shop', type: 'http', config: {}, regions: Array(100_000).fill(1) };
  const answer = await app.alice.send<{ message: string }>(
    'POST',
    `/projects/${place.projectId}/monitors`,
    body,
  );
  assertRefused(answer, { status: 400, error: 'invalid_request' });
  assert.equal(answer.body.message, 'The request body holds more than 20000 values.');
});

test('a wrong Content-Length leads to a refusal, and never to a second request', async () => {
  const body = '{"name":"Shop"}GET /me/organizations HTTP/1.1\r\nhost: x\r\n\r\n';
  const short = await write(
    requestLine('POST', PATH(), { ...json, 'content-length': '7' }).replace('connection: close\r\n', ''),
    body,
  );
  assert.equal(short.status, 400);
  assertErrorBody(JSON.parse(short.body.slice(0, short.body.indexOf('}') + 1)));
  assert.doesNotMatch(short.body, new RegExp(place.orgId));
});

test('a request with both kinds of length, or a repeated one, is refused', async () => {
  for (const lengths of [
    'content-length: 2\r\ntransfer-encoding: chunked',
    'content-length: 2\r\ncontent-length: 3',
  ]) {
    const head = `POST ${PATH()} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${lengths}\r\n\r\n`;
    const { status, body } = await write(head, '{}');
    assert.equal(status, 400, lengths);
    assertErrorBody(JSON.parse(body));
  }
});

test('a request without a host, or with two, is refused in the common error shape', async () => {
  const refused = async (bytes: string, expected: number) => {
    const { status, headers, body } = await write(bytes);
    assert.equal(status, expected, bytes);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assertErrorBody(JSON.parse(body));
  };
  await refused('GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', 400);
  await refused('GET /healthz HTTP/1.1\r\nhost: a\r\nHost: b\r\nconnection: close\r\n\r\n', 400);
  await refused(requestLine('GET', '/healthz', { expect: 'the unexpected' }), 417);
  assert.equal((await write('GET /healthz HTTP/1.0\r\n\r\n')).status, 200, 'there was none in HTTP/1.0');
});

test('headers beyond 16 KiB are 431', async () => {
  const { status, body } = await write(requestLine('GET', '/', { 'x-much': 'x'.repeat(17_000) }));
  assert.equal(status, 431);
  assertErrorBody(JSON.parse(body));
});

test('a compressed body does not count as JSON', async () => {
  const headers = { ...json, 'content-encoding': 'gzip' };
  const answer = await app.alice.send('POST', PATH(), { name: 'Packed' }, headers);
  assertRefused(answer, { status: 415, error: 'unsupported_media_type' });
});
