// Guessing is slowed per account and per address, and nobody is locked out by somebody else
// (docs/rules/limits.md#wrong-tries).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createLog } from '#src/platform/log.ts';
import { PASSWORD, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { type Client, makeClient } from '#test/harness/client.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile({ env: { RATE_LIMITS: 'on', TRUST_PROXY: 'on' } });
});

const HELD = { status: 429, error: 'rate_limited', reason: 'too_many_tries' };
const MINUTE_MS = 60_000;
let last = 0;
/** An address nobody used yet. */
const someAddress = () => `203.0.${Math.floor(++last / 250)}.${(last % 250) + 1}`;
const from = (address: string, url = app.url) => makeClient(url, { 'x-forwarded-for': address });
const tryWith = (client: Client, email: string, password: string) =>
  client.send('POST', '/auth/sign-in/email', { email, password });
const wrong = (client: Client, email: string) => tryWith(client, email, 'not the password');
const right = (client: Client, email: string) => tryWith(client, email, PASSWORD);

/** Failures as if they had been tried, without a hash for each. */
async function failed(rows: { email: string; address: string }[], atMs = app.clock.ms()): Promise<void> {
  const known = new Map<string, Buffer>();
  for (const { email } of rows) {
    if (known.has(email)) continue;
    const address = someAddress();
    await wrong(from(address), email);
    const row = await app.db
      .deleteFrom('sign_in_failures')
      .where('address', '=', address)
      .returning('account_hash')
      .executeTakeFirstOrThrow();
    known.set(email, row.account_hash);
  }
  await app.db
    .insertInto('sign_in_failures')
    .values(
      rows.map(({ email, address }) => ({ account_hash: known.get(email)!, address, at: new Date(atMs) })),
    )
    .execute();
}

test('after five wrong attempts at an account from an address the sixth waits, unchecked, and each further one longer', async () => {
  const bob = await app.person('bob');
  const client = from(someAddress());
  for (let i = 0; i < 5; i++) assert.equal((await wrong(client, bob.email)).status, 401);
  for (const seconds of [1, 2, 4]) {
    const held = await right(client, bob.email);
    assertRefused(held, HELD, `before ${seconds} s`);
    assert.equal(held.headers.get('retry-after'), String(seconds));
    app.clock.advance(seconds * 1000);
    assert.equal((await wrong(client, bob.email)).status, 401, `after ${seconds} s`);
  }
  app.clock.advance(8000);
  assert.equal((await right(client, bob.email)).status, 200);
  assert.equal((await wrong(client, bob.email)).status, 401, 'counted from the beginning again');
  assert.equal((await wrong(client, bob.email)).status, 401);
});

test('many simultaneous attempts do not evade the limit', async () => {
  const bob = await app.person('bob');
  const client = from(someAddress());
  const answers = await Promise.all(Array.from({ length: 12 }, () => wrong(client, bob.email)));
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(
    [statuses.filter((s) => s === 401).length, statuses.filter((s) => s === 429).length],
    [5, 7],
  );
});

test('an address without an account is treated exactly like one with', async () => {
  const bob = await app.person('bob');
  const seen = async (email: string) => {
    const client = from(someAddress());
    const answers = [];
    for (let i = 0; i < 7; i++) {
      const { status, body, headers } = await wrong(client, email);
      answers.push([status, body, headers.get('retry-after')]);
    }
    return answers;
  };
  assert.deepEqual(await seen('nobody@example.com'), await seen(bob.email));
});

test('another spelling of an e-mail address is the same account, and an address in the same IPv6 block the same client', async () => {
  const bob = await app.person('bob');
  const spellings = [bob.email, bob.email.toUpperCase(), bob.email.replace('b', 'B')];
  for (let i = 0; i < 5; i++)
    assert.equal((await wrong(from(`2001:db8:7::${i + 1}`), spellings[i % 3] ?? '')).status, 401);
  assertRefused(await right(from('2001:db8:7::abcd'), bob.email), HELD);
  assert.equal((await right(from('2001:db8:8::1'), bob.email)).status, 200);
});

test('attacking one account locks out neither others at the same address nor the account elsewhere', async () => {
  const [bob, carol] = [await app.person('bob'), await app.person('carol')];
  const office = someAddress();
  await failed(Array.from({ length: 60 }, () => ({ email: bob.email, address: office })));
  assertRefused(await right(from(office), bob.email), HELD);
  assert.equal((await right(from(office), carol.email)).status, 200);
  assert.equal((await right(from(someAddress()), bob.email)).status, 200);
});

test('an address that fails at more than twenty accounts waits only for accounts it never signed in', async () => {
  const [bob, carol] = [await app.person('bob'), await app.person('carol')];
  const address = someAddress();
  assert.equal((await right(from(address), bob.email)).status, 200, 'bob’s own address');
  const victims = Array.from({ length: 21 }, (_, i) => ({ email: `victim${i}@example.com`, address }));
  await failed(victims);
  const held = await right(from(address), carol.email);
  assertRefused(held, HELD);
  assert.equal(held.headers.get('retry-after'), '60');
  assert.equal((await right(from(address), bob.email)).status, 200);
  app.clock.advance(MINUTE_MS);
  assert.equal((await right(from(address), carol.email)).status, 200, 'one try a minute');
});

test('an account under attack from everywhere works at known addresses, and is slow at others', async () => {
  const bob = await app.person('bob');
  const home = someAddress();
  assert.equal((await right(from(home), bob.email)).status, 200);
  await failed(Array.from({ length: 100 }, () => ({ email: bob.email, address: someAddress() })));
  assert.equal((await right(from(home), bob.email)).status, 200);
  const stranger = from(someAddress());
  assert.equal((await wrong(stranger, bob.email)).status, 401);
  assertRefused(await wrong(stranger, bob.email), HELD);
  app.clock.advance(MINUTE_MS);
  assert.equal((await right(stranger, bob.email)).status, 200, 'the owner on a journey');
});

test('the password prompt of a signed-in person is no way around the limit', async () => {
  const bob = await app.person('bob');
  const change = { currentPassword: 'not the password', newPassword: 'another password' };
  for (let i = 0; i < 3; i++) await bob.send('POST', '/auth/change-password', change);
  for (let i = 0; i < 2; i++) await bob.send('POST', '/auth/two-factor/enable', { password: 'wrong' });
  assertRefused(
    await bob.send('POST', '/auth/change-password', { ...change, currentPassword: PASSWORD }),
    HELD,
  );
  assertRefused(await bob.send('DELETE', '/me', { password: PASSWORD }), HELD);
  app.clock.advance(1000);
  await bob.ok('POST', '/auth/change-password', { ...change, currentPassword: PASSWORD });
});

test('a malformed request does not count as an attempt', async () => {
  const address = someAddress();
  const client = from(address);
  for (let i = 0; i < 8; i++) {
    assert.equal((await tryWith(client, 'no address', 'x')).status, 400);
    assert.equal((await client.send('POST', '/auth/sign-in/email', { email: 'a@b.co' })).status, 400);
  }
  const rows = await app.db
    .selectFrom('sign_in_failures')
    .select('no')
    .where('address', '=', address)
    .execute();
  assert.deepEqual(rows, []);
});

test('two servers on one database slow down attempts as one', async () => {
  const bob = await app.person('bob');
  const address = someAddress();
  await using other = await app.another();
  for (let i = 0; i < 5; i++)
    assert.equal((await wrong(from(address, i % 2 ? other.url : app.url), bob.email)).status, 401);
  assertRefused(await right(from(address, other.url), bob.email), HELD);
  assertRefused(await right(from(address), bob.email), HELD);
});

test('no e-mail address is stored or logged, and old attempts are deleted', async () => {
  const lines: string[] = [];
  const log = createLog('info', false, (line) => void lines.push(line));
  await using own = await startTestApp({ env: { RATE_LIMITS: 'on' }, log });
  const email = 'somebody-secret@example.com';
  const client = makeClient(own.url);
  for (let i = 0; i < 6; i++) await tryWith(client, email, 'a secret guess');
  const held = lines.filter((line) => line.includes('sign-in slowed down'));
  assert.equal(held.length, 1);
  assert.match(held[0] ?? '', /127\.0\.0\.1/);
  assert.ok(!lines.some((line) => /somebody-secret|a secret guess/.test(line)));
  const count = async () => (await own.db.selectFrom('sign_in_failures').select('no').execute()).length;
  assert.equal(await count(), 5);
  own.clock.advance(25 * 60 * MINUTE_MS);
  await own.runTask('sweep');
  assert.equal(await count(), 0);
});

test('with RATE_LIMITS=off nothing waits', async () => {
  await using off = await startTestApp({ env: { RATE_LIMITS: 'off' } });
  const bob = await off.person('bob');
  const client = makeClient(off.url);
  for (let i = 0; i < 8; i++) assert.equal((await wrong(client, bob.email)).status, 401);
  assert.equal((await right(client, bob.email)).status, 200);
});
