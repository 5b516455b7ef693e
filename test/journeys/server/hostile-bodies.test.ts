// Bodies that nobody should send: every one gets its decided refusal, and nothing of it ever answers 5xx.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { before, test } from 'node:test';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Answer } from '#test/harness/client.ts';
import { assertErrorBody, assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
});

const INVALID = { status: 400, error: 'invalid_request' };
const post = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  app.alice.send('POST', `/projects/${place.projectId}/monitors`, body, headers);
const monitorText = (name: string, config = '{"url":"https://shop.example.com/"}', more = '') =>
  `{"name":${name},"type":"http","config":${config}${more}}`;

for (const text of [
  '{',
  '{"name":}',
  'name=x',
  "{'name':'x'}",
  '{"name":"x",}',
  '\u0000',
  '[',
  'undefined',
  '{"a":NaN}',
  '\ufeff{}x',
])
  test(`a body that is not JSON is refused: ${JSON.stringify(text)}`, async () => {
    assertRefused(await post(text), INVALID);
  });

for (const text of ['[]', '"text"', '7', 'true', 'null', '[{"name":"x"}]'])
  test(`a body that is not an object is refused: ${text}`, async () => {
    assertRefused(await post(text), INVALID);
  });

test('a missing or empty body is refused if one is required', async () => {
  assertRefused(await post(undefined), INVALID);
  assertRefused(await post(''), INVALID);
});

test('an operation without a body accepts none, or an empty object', async () => {
  const target = { name: 'Hook', kind: 'webhook', url: 'https://hooks.example.com/x', events: ['opened'] };
  const { id } = await app.alice.ok<{ id: string }>('POST', `/organizations/${place.orgId}/webhooks`, target);
  const rotate = `/organizations/${place.orgId}/webhooks/${id}/rotate-secret`;
  for (const body of [undefined, '', {}])
    assert.equal((await app.alice.send('POST', rotate, body)).status, 200);
  assertRefused(await app.alice.send('POST', rotate, { a: 1 }), { ...INVALID, field: 'a' });
  for (const body of ['[1]', '"x"', '7']) assertRefused(await app.alice.send('POST', rotate, body), INVALID);
});

test('a body over 1 MiB is 413', async () => {
  const answer = await post(JSON.stringify({ name: 'x'.repeat(1024 * 1024) }));
  assertRefused(answer, { status: 413, error: 'payload_too_large' });
});

test('results may be larger than other bodies, up to 8 MiB', async () => {
  const headers = { authorization: `Bearer ${app.probe().token}` };
  const send = (size: number) =>
    app.visitor().send('POST', '/probe/results', `{"probe_id":"p","results":[]${' '.repeat(size)}}`, headers);
  assert.equal((await send(7 * 1024 * 1024)).status, 200);
  assertRefused(await send(8 * 1024 * 1024), { status: 413, error: 'payload_too_large' });
});

for (const type of [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'nonsense',
])
  test(`the content type ${type} is 415`, async () => {
    assertRefused(await post('{"name":"x"}', { 'content-type': type }), {
      status: 415,
      error: 'unsupported_media_type',
    });
  });

test('JSON with a charset is JSON', async () => {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  assert.equal((await post(monitorText('"With charset"'), headers)).status, 201);
});

test('NUL characters are refused in values and names, with the field', async () => {
  assertRefused(await post(monitorText('"a\\u0000b"')), { ...INVALID, field: 'name' });
  assertRefused(await post(monitorText('"x"', '{"url":"https://a.example.com/\\u0000"}')), {
    ...INVALID,
    field: 'config',
  });
  assertRefused(await post('{"na\\u0000me":"x"}'), INVALID);
});

test('an id with a NUL character names nothing, and a query with one is refused', async () => {
  const org = `/organizations/${place.orgId}`;
  const unknown = { status: 404, error: 'not_found' };
  for (const path of [`${org}/incidents/%00`, `${org}/webhooks/wht_%00/deliveries`, '/monitors/%00'])
    assertRefused(await app.alice.send('GET', path), unknown, path);
  assertRefused(await app.alice.send('DELETE', `${org}/webhooks/%00`), unknown);
  const answer = await app.alice.send('GET', `${org}/incidents?before=inc_%00`);
  assertRefused(answer, { ...INVALID, field: 'before' });
});

test('half of a surrogate pair is refused, a whole one is not', async () => {
  assertRefused(await post(monitorText('"a\\ud83d"')), { ...INVALID, field: 'name' });
  assertRefused(await post(monitorText('"\\udd14a"')), { ...INVALID, field: 'name' });
  assert.equal((await post(monitorText('"bell \\ud83d\\udd14"'))).status, 201);
});

test('nesting beyond 32 levels is refused, and very deep nesting does not end the process', async () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const assertions = (value: string) =>
    monitorText(
      '"Deep"',
      `{"url":"https://a.example.com/","json_assertions":[{"path":"$","op":"eq","value":${value}}]}`,
    );
  assertRefused(await post(assertions(nested(40))), { ...INVALID, field: 'config' });
  assertRefused(await post(nested(100_000)), { ...INVALID, field: 'a' });
  assertRefused(await post('['.repeat(400_000)), INVALID);
  assert.equal((await post(assertions(nested(20)))).status, 201);
});

test('numbers that JSON cannot carry exactly are refused', async () => {
  for (const number of ['9007199254740993', '1e400', '-1e400', '12345678901234567890'])
    assertRefused(await post(monitorText('"Big"', undefined, `,"interval_seconds":${number}`)), {
      ...INVALID,
      field: 'interval_seconds',
    });
});

test('a field named __proto__, constructor or hasOwnProperty is refused and pollutes nothing', async () => {
  assertRefused(await post(monitorText('"P"', undefined, ',"__proto__":{"enabled":false}')), INVALID);
  const inside = '{"url":"https://a.example.com/","__proto__":{"polluted":1}}';
  assertRefused(await post(monitorText('"P"', inside)), { ...INVALID, field: 'config' });
  for (const name of ['constructor', 'hasOwnProperty', 'toString'])
    assertRefused(await post(monitorText('"P"', undefined, `,"${name}":{}`)), { ...INVALID, field: name });
  assertRefused(await post(monitorText('"P"', '{"url":"https://a.example.com/","constructor":{}}')), {
    ...INVALID,
    field: 'config.constructor',
  });
  assertRefused(await post('{"name":"P","type":"constructor","config":{}}'), {
    status: 400,
    error: 'unknown_type',
    field: 'type',
  });
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

test('of a duplicate field the last value counts, as in JSON', async () => {
  const answer = await post(
    '{"name":"First","name":"Second","type":"http","config":{"url":"https://a.example.com/"}}',
  );
  assert.equal((answer.body as { name: string }).name, 'Second');
});

test('texts in every script, quotes and markup are stored as they are', async () => {
  const name = `Ω "quoted" 'single' <b>bold</b> \\ back\tslash ; DROP TABLE monitors; -- ${'é'.normalize('NFD')} 日本`;
  const answer = await post({ name, type: 'http', config: { url: 'https://shop.example.com/' } });
  assert.equal((answer.body as { name: string }).name, name);
});

test('names up to 200 characters are accepted, counted in characters', async () => {
  assert.equal(
    (await post({ name: 'x'.repeat(200), type: 'http', config: { url: 'https://a.example.com/' } })).status,
    201,
  );
  const bells = await post({
    name: '🔔'.repeat(200),
    type: 'http',
    config: { url: 'https://a.example.com/' },
  });
  assert.equal(bells.status, 201);
});

test('input that is not HTTP gets the common error shape, and the connection is closed', async () => {
  const { port } = new URL(app.url);
  for (const text of [
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    `GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(5000)}\r\n`,
  ]) {
    const socket = connect(Number(port), '127.0.0.1');
    let said = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      said += chunk;
    });
    socket.on('error', () => undefined);
    socket.write(text);
    await once(socket, 'close');
    const [head = '', body = ''] = said.split('\r\n\r\n');
    assert.match(head, /^HTTP\/1\.1 4\d\d /);
    assertErrorBody(JSON.parse(body));
  }
});
