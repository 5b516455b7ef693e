import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formsOf, maskHeader, maskText } from './masking.ts';

const RANDOM = 'q7Rk2ZpV9xLm4TnB8sWd';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLW9mLXRoaXM';

/** Texts, and what of them must be gone. */
const CREDENTIALS: readonly (readonly [string, ...string[]])[] = [
  ['{"password": "hunter2", "user": "nora"}', 'hunter2'],
  ['{"password":"hun\\"ter2"}', 'hun', 'ter2'],
  ["{'api_key' => 'abc'}", 'abc'],
  ['{"nested":"{\\"token\\":\\"abcdef\\"}"}', 'abcdef'],
  ['{"accessToken":12345678}', '12345678'],
  ['DB_PASSWORD=hunter2\nPORT=80', 'hunter2'],
  ['db.password: hunter2', 'hunter2'],
  ['client_secret=abc&grant_type=x', 'abc'],
  ['{"password": "cut off in the midd', 'cut off'],
  ['<Password>hunter2</Password>', 'hunter2'],
  ['<password>hunter2', 'hunter2'],
  ['<input type="hidden" name="csrf_token" value="abcd">', 'abcd'],
  ["<meta name='csrf-token' content='abcd'>", 'abcd'],
  ['<input value="abcd" name="authenticity_token">', 'abcd'],
  ['<tr><td>SECRET_KEY</td><td><pre>hunter2</pre></td></tr>', 'hunter2'],
  ['<tr><td class="e">DB_PASSWORD</td><td class="v">hunter2</td></tr>', 'hunter2'],
  ['Authorization: Bearer abcd.efgh', 'abcd', 'efgh'],
  ['sent Bearer abcd-efgh to it', 'abcd'],
  ['sent Basic bm9yYTpodW50ZXIy to it', 'bm9y'],
  ['Cookie: a=one; b=two\nHost: x', 'one', 'two'],
  ['"Set-Cookie": "sid=one; Path=/"', 'one'],
  [`the token is ${JWT} here`, 'eyJ'],
  ['connect to postgres://nora:hunter2@db.example/x failed', 'nora', 'hunter2'],
  ['see https://example.com/reset?code=abcd&x=1', 'abcd'],
  ['see https://example.com/reset?x=1&amp;sig=abcd', 'abcd'],
  ['https://s3.example/x?X-Amz-Signature=abcd&X-Amz-Security-Token=efgh', 'abcd', 'efgh'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----', 'MIIE', 'abc'],
  ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn', 'b3Blbn'],
  ['key AKIAIOSFODNN7EXAMPLE', 'AKIA'],
  ['ghp_abcdefghijklmnop', 'abcdefgh'],
  ['sk_live_abcdefghijkl', 'abcdefgh'],
  ['https://hooks.slack.com/services/T000/B000/abcd', 'T000', 'abcd'],
  [`/reset/${RANDOM}${RANDOM}`, RANDOM],
  ['d41d8cd98f00b204e9800998ecf8427e', 'd41d8'],
  ['x Zm9vYmFyYmF6cXV4L2hlbGxvL3dvcmxkMTIz/abc+Zq9 y', 'Zm9v'],
  ['k3j5h2l8x9d0s4f7g6q1w2e3', 'k3j5'],
];

for (const [text, ...gone] of CREDENTIALS)
  test(`masks a credential: ${text.slice(0, 60).replaceAll('\n', ' ')}`, () => {
    const masked = maskText(text);
    for (const part of gone) assert.ok(!masked.includes(part), masked);
    assert.match(masked, /••••/);
  });

/** What an engineer needs, and nobody's secret. */
const PLAIN = [
  '<h1>Database pool exhausted</h1><p>Sorry, try again in 30 seconds.</p>',
  '{"error":"upstream timed out","status":502,"retry":true}',
  'org.springframework.beans.factory.support.AbstractAutowireCapableBeanFactory.createBean(X.java:512)',
  'at Object.<anonymous> (/srv/app/node_modules/express/lib/router/index.js:284:15)',
  '<link rel="stylesheet" href="/assets/application/stylesheets/main-page.css">',
  'request 3f2a8c1e-5b7d-4e9a-8c1f-2b3d4e5f6a7b failed at 2026-11-22T23:48:02.123Z',
  'The author of this page forgot the password field.',
  'code: 500, state: failed',
  '{"token": null, "password": ""}',
  'InternalAuthenticationServiceException: no',
  '----------------------------------------------',
];

for (const text of PLAIN)
  test(`leaves plain text alone: ${text.slice(0, 60)}`, () => assert.equal(maskText(text), text));

test('masks what the check itself sent, in the forms in which it may be echoed', () => {
  const known = formsOf(['s3cr&t"x', 'Basic bm9y', 'abc']);
  for (const form of [
    's3cr&t"x',
    's3cr&t\\"x',
    's3cr%26t%22x',
    's3cr&amp;t"x',
    's3cr&amp;t&quot;x',
    'czNjciZ0Ing=',
  ])
    assert.equal(maskText(`<${form}>`, known), '<••••>');
  assert.equal(maskText('Basic bm9y', known), '••••');
  assert.equal(maskText('abc', known), 'abc', 'too short to be told from the text around it');
});

test('masks headers by their name, and otherwise by their value', () => {
  const masked = (name: string, value: string) => maskHeader(name, value);
  for (const name of ['Set-Cookie', 'authorization', 'X-Api-Key', 'x-csrf-token', 'X-Session-Id', 'X-Auth'])
    assert.equal(masked(name, 'anything'), '••••', name);
  assert.equal(
    masked('Location', 'https://a.example/cb?code=abcd&x=1'),
    'https://a.example/cb?code=••••&x=1',
  );
  assert.equal(masked('Refresh', `0; url=https://nora:pw@a.example/`), '0; url=https://••••@a.example/');
  assert.equal(masked('X-Debug', JWT), '••••');
  assert.equal(masked('X-Thing', RANDOM), '••••');
  assert.equal(masked('ETag', `"${RANDOM}${RANDOM}"`), `"${RANDOM}${RANDOM}"`);
  assert.equal(masked('X-Request-Id', RANDOM), RANDOM);
  assert.equal(masked('ETag', JWT), '••••');
  assert.equal(masked('WWW-Authenticate', 'Bearer realm="api", error="x"'), 'Bearer realm="api", error="x"');
  assert.equal(masked('Date', 'Sun, 22 Nov 2026 23:48:02 GMT'), 'Sun, 22 Nov 2026 23:48:02 GMT');
  assert.equal(masked('Content-Type', 'text/html; charset=utf-8'), 'text/html; charset=utf-8');
});

test('no text is slow to mask', () => {
  const texts = [
    'a'.repeat(8_192),
    'password'.repeat(1_024),
    '"'.repeat(8_192),
    '\\'.repeat(8_192),
    'token="'.repeat(1_170),
    '<input '.repeat(1_170),
    '<td>'.repeat(2_048),
    '<a '.repeat(2_700),
    '-----BEGIN KEY'.repeat(580),
    '-----BEGIN PRIVATE KEY-----'.repeat(300),
    'eyJaaaaaa.'.repeat(800),
    '://'.repeat(2_700),
    'cookie:'.repeat(1_170),
    ' '.repeat(8_192),
    'Bearer '.repeat(1_170),
    'name='.repeat(1_638),
  ];
  const startedAt = process.cpuUsage();
  for (const text of texts) maskText(text);
  const { user } = process.cpuUsage(startedAt);
  assert.ok(user < 1_000_000, `${user} µs for ${texts.length} texts of 8 KiB`);
});
