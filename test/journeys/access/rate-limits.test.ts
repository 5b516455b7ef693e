// How often somebody may ask (docs/rules/limits.md#requests-a-minute): per key, and per client address where a secret could
// be guessed.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeKey } from '#src/api-keys/format.ts';
import { PASSWORD, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { type Answer, makeClient } from '#test/harness/client.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { until } from '#test/harness/until.ts';

const ON = { RATE_LIMITS: 'on' };
let app: TestApp;
before(async () => {
  app = await startAppOfFile({ env: { ...ON, TRUST_PROXY: '1' } });
});

let address = 0;
/** An address that nobody has come from yet. */
const somewhere = () => {
  address += 1;
  return `198.51.100.${address}`;
};
const from = (where: string) => ({ 'x-forwarded-for': where });

const budget = ({ headers }: Answer) =>
  ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => headers.get(name));

function assertLimited(answer: Answer): void {
  assertRefused(answer, { status: 429, error: 'rate_limited' });
  const seconds = Number(answer.headers.get('retry-after'));
  assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `Retry-After ${seconds}`);
  assert.equal(answer.headers.get('ratelimit-remaining'), '0');
  assert.equal(answer.headers.get('ratelimit-reset'), String(seconds));
}

async function times(n: number, ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let i = 0; i < n; i++) answers.push(await ask());
  return answers;
}
const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))];

async function keyOf(scopes: string[] = ['monitors:read']): Promise<{ id: string; key: string }> {
  const path = `/organizations/${app.home.orgId}/api-keys`;
  return app.alice.ok('POST', path, { name: 'Key', scopes });
}
const bearer = (key: string, where = somewhere()) => ({ authorization: `Bearer ${key}`, ...from(where) });

test('an address has 60 attempts a minute for everything that can be guessed, shown in headers', async () => {
  const where = from(somewhere());
  const visitor = app.visitor();
  const routes = [
    ['/auth/sign-in/email', { email: 'nobody@example.com', password: 'x' }],
    ['/auth/setup', { token: 'x' }],
    ['/auth/sign-up/email', {}],
  ] as const;
  const first = await visitor.send('POST', '/auth/sign-up/email', {}, where);
  assert.deepEqual(budget(first).slice(0, 2), ['60', '59']);
  for (let i = 0; i < 59; i++) {
    const [path, body] = routes[i % routes.length] ?? routes[0];
    const answer = await visitor.send('POST', path, i % 10 === 0 ? body : {}, where);
    assert.notEqual(answer.status, 429, `${i} ${path}`);
    assert.equal(answer.headers.get('ratelimit-remaining'), String(58 - i));
  }
  for (const [path, body] of routes) assertLimited(await visitor.send('POST', path, body, where));
  const elsewhere = await visitor.send('POST', '/auth/setup', { token: 'x' }, from(somewhere()));
  assert.notEqual(elsewhere.status, 429);
  assert.equal((await visitor.send('GET', '/auth/installation', undefined, where)).status, 200);
  assert.equal((await app.alice.send('GET', '/me/organizations', undefined, where)).status, 200);
});

test('after the last attempt even the right password is refused', async () => {
  const where = from(somewhere());
  await times(60, () => app.visitor().send('POST', '/auth/sign-up/email', {}, where));
  const answer = await app
    .visitor()
    .send('POST', '/auth/sign-in/email', { email: 'alice@example.com', password: PASSWORD }, where);
  assertLimited(answer);
  assert.equal(answer.headers.get('set-cookie'), null);
});

test('all addresses of one IPv6 /64 are one client, and others are not', async () => {
  const ask = (where: string) => app.visitor().send('POST', '/auth/setup', {}, from(where));
  for (let i = 0; i < 60; i++) await ask(`2001:db8:0:1::${i.toString(16)}`);
  assertLimited(await ask('2001:db8:0:1:ffff::1'));
  assert.equal((await ask('2001:db8:0:2::1')).status, 400);
});

test('behind a proxy only the address that it appended counts, not those that the client sent', async () => {
  const last = somewhere();
  const ask = (forged: string) => app.visitor().send('POST', '/auth/setup', {}, from(`${forged}, ${last}`));
  for (let i = 0; i < 60; i++) assert.equal((await ask(`203.0.113.${i}`)).status, 400);
  assertLimited(await ask('203.0.113.200'));
});

test('without a proxy X-Forwarded-For counts for nothing', async () => {
  await using bare = await startTestApp({ env: { ...ON, TRUST_PROXY: '0' } });
  const ask = () => bare.visitor().send('POST', '/auth/setup', {}, from(somewhere()));
  assert.deepEqual(statuses(await times(60, ask)), [400]);
  assertLimited(await ask());
});

test('a key has 600 requests a minute, from any address and in any spelling', async () => {
  const { key } = await keyOf();
  const visitor = app.visitor();
  const ask = (word = 'Bearer') =>
    visitor.send('GET', '/regions', undefined, { ...bearer(key), authorization: `${word} ${key}` });
  const first = await ask();
  assert.deepEqual([first.status, ...budget(first).slice(0, 2)], [200, '600', '599']);
  for (const word of ['bearer', 'BEARER', 'Bearer  ']) assert.equal((await ask(word)).status, 200);
  for (let i = 4; i < 600; i += 20) {
    const some = await Promise.all(Array.from({ length: Math.min(20, 600 - i) }, () => ask()));
    assert.deepEqual(statuses(some), [200]);
  }
  assertLimited(await ask());
  const other = await keyOf();
  assert.equal((await visitor.send('GET', '/regions', undefined, bearer(other.key))).status, 200);
  assert.equal((await app.alice.send('GET', '/regions')).status, 200, 'people are not counted');
});

test('a refusal of a key counts like an answer', async () => {
  const { key } = await keyOf(['webhooks:read']);
  const where = somewhere();
  const ask = () =>
    app.visitor().send('GET', `/projects/${app.home.projectId}/monitors`, undefined, bearer(key, where));
  const [one, two] = await times(2, ask);
  assert.deepEqual([one?.status, two?.status], [403, 403]);
  assert.deepEqual(
    [one, two].map((answer) => answer?.headers.get('ratelimit-remaining')),
    ['599', '598'],
  );
});

test('invalid credentials do not allow endless lookups; known ones continue', async () => {
  const where = somewhere();
  const visitor = app.visitor();
  const ask = (key: string) => visitor.send('GET', '/regions', undefined, bearer(key, where));
  const good = await keyOf();
  assert.equal((await ask(good.key)).status, 200);
  assert.deepEqual(statuses(await times(60, () => ask(makeKey()))), [401]);
  assertLimited(await ask(makeKey()));
  const probe = await visitor.send('GET', '/probe/assignments', undefined, bearer('tcp_x', where));
  assertLimited(probe);
  assert.equal((await ask(good.key)).status, 200, 'known to be good');
  const unknown = await keyOf();
  assertLimited(await ask(unknown.key));
  assert.equal((await visitor.send('GET', '/regions', undefined, bearer(unknown.key))).status, 200);
});

test('a revoked key is no longer known', async () => {
  const where = somewhere();
  const ask = (key: string) => app.visitor().send('GET', '/regions', undefined, bearer(key, where));
  const { id, key } = await keyOf();
  assert.equal((await ask(key)).status, 200);
  await app.alice.ok('DELETE', `/organizations/${app.home.orgId}/api-keys/${id}`);
  assert.deepEqual(statuses(await times(60, () => ask(key))), [401]);
  assertLimited(await ask(key));
});

test('an operation without keys refuses a key, at no cost to anybody', async () => {
  const where = somewhere();
  const send = () => app.visitor().send('POST', '/organizations', { name: 'X' }, bearer(makeKey(), where));
  for (const answer of await times(70, send)) {
    assert.equal(answer.status, 401);
    assert.deepEqual(budget(answer), [null, null, null]);
  }
});

test('an answer to an uncounted request shows no budget', async () => {
  for (const path of ['/healthz', '/nothing', '/auth/installation'])
    assert.deepEqual(budget(await app.alice.send('GET', path)), [null, null, null], path);
});

test('with RATE_LIMITS=off nothing is counted', async () => {
  await using free = await startTestApp({ env: { RATE_LIMITS: 'off' } });
  const answers = await times(70, () => free.visitor().send('POST', '/auth/setup', {}));
  assert.deepEqual(statuses(answers), [400]);
  assert.deepEqual(budget(answers[0]!), [null, null, null]);
});

test('a HEAD that costs as much as its GET counts like it', async () => {
  const where = from(somewhere());
  const path = '/auth/passkey/generate-authenticate-options';
  const answers = await times(60, () => app.visitor().send('HEAD', path, undefined, where));
  assert.deepEqual(statuses(answers), [200]);
  assert.equal((await app.visitor().send('HEAD', path, undefined, where)).status, 429);
});

test('a session has 1,200 requests a minute, shown in headers, and another session has its own', async () => {
  const erin = await app.person('erin', { [app.home.orgId]: 'member' });
  const asked = () => erin.send('GET', '/me');
  const [first] = await times(1, asked);
  assert.deepEqual(budget(first!).slice(0, 2), ['1200', '1199']);
  for (let left = 1199; left > 0; left -= 100)
    await Promise.all(Array.from({ length: Math.min(left, 100) }, asked));
  assertLimited(await asked());
  assert.equal((await app.alice.send('GET', '/me')).status, 200);
});

test('two session cookies in one request are refused: one of them would not be counted', async () => {
  const cookie = `${app.alice.cookie()}; ${app.alice.cookie()}`;
  const answer = await app.visitor().send('GET', '/me', undefined, { cookie });
  assertRefused(answer, { status: 400, error: 'invalid_request' });
});

test('requests of a key at one server count at the others', async () => {
  const { key } = await keyOf();
  await using second = await app.another();
  const path = `/projects/${app.home.projectId}/monitors`;
  await times(600, () => app.visitor().send('GET', path, undefined, bearer(key)));
  const other = makeClient(second.url);
  let asked = 0;
  await until(async () => {
    asked += 1;
    return (await other.send('GET', path, undefined, bearer(key))).status === 429;
  }, 'the second refuses it');
  assert.ok(asked < 400, `after ${asked} requests`);
});
