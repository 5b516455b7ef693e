// Monitors that check this very installation, with headers and bytes of a user's choice: it trusts none of them, and people who
// monitor their own Tocsin with them still can.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ownServer } from '#probe/own-server.ts';
import { PASSWORD, startAppOfFile, type TestApp } from '../harness/app.ts';
import { makeClient } from '../harness/client.ts';
import { checkHttp } from '../harness/http-check.ts';
import { httpServer } from '../harness/listeners.ts';
import { type Config, checkOnce } from '../harness/one-check.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile({ env: { RATE_LIMITS: 'on', TRUST_PROXY: 'on' } });
});

/** As the bundled probe knows it. */
function policy() {
  const own = ownServer(app.url);
  own.met('127.0.0.1');
  return { policy: { allowPrivate: true, isOwn: own.isOwn } };
}

const wrongSignIn = (url: string, email: string, headers: Record<string, string>) =>
  checkHttp(
    {
      url: `${url}/auth/sign-in/email`,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ email, password: 'not the password' }),
    },
    policy(),
  );

test('a check cannot choose the address that its rate limit counts by, nor guess passwords from a trusted address', async () => {
  const bob = await app.person('bob');
  const home = '198.51.100.20';
  const said: (number | undefined)[] = [];
  for (let i = 0; i < 7; i++)
    said.push((await wrongSignIn(app.url, bob.email, { 'x-forwarded-for': home })).response_code);
  assert.deepEqual(said, [401, 401, 401, 401, 401, 429, 429], 'slowed like one address');
  const addresses = await app.db.selectFrom('sign_in_failures').select('address').distinct().execute();
  assert.deepEqual(addresses, [{ address: 'check from 127.0.0.1' }]);
  const atHome = makeClient(app.url, { 'x-forwarded-for': home });
  await atHome.ok('POST', '/auth/sign-in/email', { email: bob.email, password: PASSWORD });
});

test('the sign-in attempts of checks do not count against people behind the same address', async () => {
  for (let i = 0; i < 70; i++)
    await checkHttp({ url: `${app.url}/auth/sign-in/email`, method: 'POST', body: '{}' }, policy());
  const answer = await checkHttp(
    { url: `${app.url}/auth/sign-in/email`, method: 'POST', body: '{}' },
    policy(),
  );
  assert.equal(answer.response_code, 429);
  const person = await app.visitor().send('POST', '/auth/sign-in/email', {});
  assert.notEqual(person.status, 429);
});

test('a check cannot read metrics for this machine only, and cannot hide that it is a check', async (t) => {
  assert.equal((await app.visitor().send('GET', '/metrics')).status, 200);
  const metrics = `${app.url}/metrics`;
  const elsewhere = await httpServer(t, (_, response) =>
    response.writeHead(302, { location: metrics }).end(),
  );
  const without = { headers: { 'X-Tocsin-Check': '' }, secret_headers: ['x-tocsin-check'] };
  for (const url of [metrics, `http://127.0.0.1:${elsewhere}/`])
    assert.equal((await checkHttp({ url, ...without }, policy())).response_code, 401, url);
});

test('no other kind of check sends chosen bytes to this installation', async () => {
  const { hostname: host, port } = new URL(app.url);
  const at = { host, port: Number(port) };
  const send = 'GET /metrics HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n';
  const refused: [string, Config][] = [
    ['tcp', { ...at, send, expect: 'tocsin' }],
    ['websocket', { url: `ws://${host}:${port}/metrics` }],
    ['tls', at],
    ['mail', { ...at, protocol: 'smtp' }],
  ];
  for (const [type, config] of refused) {
    const { failure_class, detail } = await checkOnce(type, config, policy());
    assert.deepEqual([type, failure_class], [type, 'blocked_target']);
    assert.match(detail ?? '', /Tocsin itself listens/);
  }
});

test('an installation can monitor itself: health, a page, and an open port', async () => {
  const { hostname: host, port } = new URL(app.url);
  for (const path of ['/healthz', '/readyz'])
    assert.equal((await checkHttp({ url: app.url + path }, policy())).status, 'up', path);
  assert.equal((await checkOnce('tcp', { host, port: Number(port) }, policy())).status, 'up');
});
