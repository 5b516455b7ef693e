// Acts that a borrowed session must not do want a sign-in of the last 15 minutes, or a new proof.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type TOTP, URI } from 'otpauth';
import { OPERATIONS } from '#src/operations.ts';
import { PASSWORD, type Person, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { makeAuthenticator } from '#test/harness/authenticator.ts';
import { type Client, makeClient, signIn } from '#test/harness/client.ts';
import { SAMPLES } from '#test/harness/operation-samples.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { makeScene, type Scene } from '#test/harness/scene.ts';

let app: TestApp;
let scene: Scene;
before(async () => {
  app = await startAppOfFile();
  scene = await makeScene(app, app.alice);
});

const STALE = { status: 403, error: 'fresh_sign_in_required' };

/** Another session of a person, in which they leave their desk; it does not prove itself by itself. */
async function leftAlone({ email, userId }: Person, minutes = 16, on = app): Promise<Client> {
  const client = makeClient(on.url);
  await signIn(client, email, PASSWORD);
  await age(userId, minutes, on);
  return client;
}

const age = (userId: string, minutes: number, on = app) =>
  on.db
    .updateTable('sessions')
    .set({ authenticated_at: new Date(on.clock.ms() - minutes * 60_000) })
    .where('user_id', '=', userId)
    .execute();

const prove = (client: Client, body: object) => client.send('POST', '/me/authentication', body);
const makeKey = (client: Client, orgId = app.home.orgId) =>
  client.send('POST', `/organizations/${orgId}/api-keys`, { name: 'Key', scopes: ['monitors:read'] });

describe('operations that always require a fresh sign-in', () => {
  const always = OPERATIONS.filter(({ fresh }) => fresh === true);
  test('the list has the operations that give lasting power or destroy everything', () => {
    for (const id of [
      'createApiKey',
      'deleteOrganization',
      'setOrganizationPlan',
      'createProbeToken',
      'revokeProbeToken',
      'updateProbe',
      'removeProbe',
      'updateRegion',
      'rotateWebhookSecret',
    ])
      assert.ok(
        always.some((operation) => operation.id === id),
        id,
      );
  });
  for (const operation of always)
    test(`${operation.method} ${operation.path} is refused in an old session`, async () => {
      const client = await leftAlone(app.alice);
      const sample = SAMPLES[operation.id]!;
      const ids: Record<string, string> = { ...scene.ids, ...sample.params?.(scene) };
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
      assertRefused(await client.send(operation.method, path, sample.body?.(scene)), STALE);
      // Before the body: who is not let in learns nothing of it.
      assertRefused(await client.send(operation.method, path, { nonsense: true }), STALE);
    });
});

test('a session is fresh for 15 minutes, and the password makes it fresh again', async () => {
  const client = await leftAlone(app.alice, 15);
  assert.equal((await makeKey(client)).status, 201);
  await age(app.alice.userId, 15.02);
  assertRefused(await makeKey(client), STALE);
  const cookie = client.cookie();
  const before = await app.db.selectFrom('sessions').select('id').execute();
  assert.equal((await prove(client, { password: PASSWORD })).status, 204);
  assert.equal(client.cookie(), cookie, 'the session goes on');
  const after = await app.db.selectFrom('sessions').select('id').execute();
  assert.deepEqual(after.length, before.length, 'no session is left behind');
  assert.equal((await makeKey(client)).status, 201);
});

test('adding, removing and inviting owners requires a fresh sign-in, other roles do not', async () => {
  const place = await app.place();
  const bob = await app.person('bob', { [place.orgId]: 'member' });
  const carol = await app.person('carol', { [place.orgId]: 'owner' });
  const client = await leftAlone(app.alice);
  const path = `/organizations/${place.orgId}/members`;
  assert.equal((await client.send('PATCH', `${path}/${bob.userId}`, { role: 'admin' })).status, 200);
  assertRefused(await client.send('PATCH', `${path}/${bob.userId}`, { role: 'owner' }), STALE);
  assertRefused(await client.send('PATCH', `${path}/${carol.userId}`, { role: 'member' }), STALE);
  assertRefused(await client.send('DELETE', `${path}/${carol.userId}`), STALE);
  const invite = (role: string) =>
    client.send('POST', `/organizations/${place.orgId}/invitations`, { email: `${role}@example.org`, role });
  assertRefused(await invite('owner'), STALE);
  assert.equal((await invite('admin')).status, 201);
  assert.equal((await client.send('DELETE', `${path}/${bob.userId}`)).status, 204);
});

test('a wrong proof is refused with its field and makes nothing fresh', async () => {
  const bob = await app.person('bob');
  const place = await app.place(bob);
  const client = await leftAlone(bob);
  const refused = (field: string, reason: string) => ({ status: 403, error: 'forbidden', field, reason });
  assertRefused(await prove(client, { password: 'not it' }), refused('password', 'invalid_password'));
  assertRefused(await prove(client, {}), refused('password', 'password_needed'));
  assert.equal((await prove(client, { password: PASSWORD, nonsense: 1 })).status, 400);
  assertRefused(await makeKey(client, place.orgId), STALE);
  assert.equal((await client.send('GET', '/me')).status, 200, 'the session is well');
  assert.equal((await app.visitor().send('POST', '/me/authentication', { password: PASSWORD })).status, 401);
});

test('wrong proofs are slowed down like sign-ins', async () => {
  await using slow = await startTestApp({ env: { RATE_LIMITS: 'on' } });
  const client = await leftAlone(slow.alice, 16, slow);
  for (let n = 0; n < 6; n++) await prove(client, { password: `wrong ${n}` });
  const refused = await prove(client, { password: PASSWORD });
  assertRefused(refused, { status: 429, error: 'rate_limited', reason: 'too_many_tries' });
  assert.ok(refused.headers.get('retry-after'));
});

test('with two-factor on the code is needed too, and a password alone no longer removes the second factor', async () => {
  const bob = await app.person('bob');
  const place = await app.place(bob);
  const { totpURI, backupCodes } = await bob.ok<{ totpURI: string; backupCodes: string[] }>(
    'POST',
    '/auth/two-factor/enable',
    { password: PASSWORD },
  );
  const code = (halfMinutes: number) =>
    (URI.parse(totpURI) as TOTP).generate({ timestamp: Date.now() + halfMinutes * 30_000 });
  await bob.ok('POST', '/auth/two-factor/verify-totp', { code: code(0) });
  await age(bob.userId, 16);
  const client: Client = { ...bob, send: makeClient(app.url, { cookie: bob.cookie() }).send };

  assertRefused(await client.send('POST', '/auth/two-factor/disable', { password: PASSWORD }), STALE);
  const change = { currentPassword: PASSWORD, newPassword: 'another long password' };
  assertRefused(await client.send('POST', '/auth/change-password', change), STALE);
  const needed = { status: 403, error: 'forbidden', field: 'code' };
  assertRefused(await prove(client, { password: PASSWORD }), { ...needed, reason: 'code_needed' });
  const wrong = code(0) === '000000' ? '000001' : '000000';
  const refused = await prove(client, { password: PASSWORD, code: wrong });
  assertRefused(refused, { ...needed, reason: 'invalid_code' });
  assertRefused(await makeKey(client, place.orgId), STALE);
  assert.equal((await prove(client, { password: PASSWORD, code: code(1) })).status, 204);
  assert.equal((await makeKey(client, place.orgId)).status, 201);
  await age(bob.userId, 16);
  assert.equal((await prove(client, { password: PASSWORD, code: backupCodes[0] })).status, 204);
  assert.equal((await client.send('POST', '/auth/two-factor/disable', { password: PASSWORD })).status, 200);
});

test('a passkey proves only its own person', async () => {
  const [bob, carol] = [await app.person('bob'), await app.person('carol')];
  const place = await app.place(bob);
  // Passkeys of an installation at a loopback address belong to this name.
  const origin = app.url.replace('127.0.0.1', 'localhost');
  const [mine, hers] = [makeAuthenticator(origin), makeAuthenticator(origin)];
  const [client, other] = [makeClient(origin), makeClient(origin)];
  await signIn(client, bob.email, PASSWORD);
  await signIn(other, carol.email, PASSWORD);
  await mine.addTo(client);
  await hers.addTo(other);
  await age(bob.userId, 16);
  const headers = { origin };
  const proven = async (passkey: object) => client.send('POST', '/me/authentication', { passkey }, headers);
  assertRefused(await proven(await hers.answer(client)), {
    status: 403,
    error: 'forbidden',
    field: 'passkey',
    reason: 'invalid_passkey',
  });
  assertRefused(await makeKey(client, place.orgId), STALE);
  assert.equal((await proven(await mine.answer(client))).status, 204);
  assert.equal((await makeKey(client, place.orgId)).status, 201);
  assert.equal((await client.ok<{ email: string }>('GET', '/me')).email, bob.email);
});

test('adding and removing a passkey needs a fresh sign-in', async () => {
  const client = await leftAlone(await app.person('bob'));
  assertRefused(await client.send('GET', '/auth/passkey/generate-register-options'), STALE);
  const body = { response: { id: 'x' } };
  assertRefused(await client.send('POST', '/auth/passkey/verify-registration', body), STALE);
  assertRefused(await client.send('POST', '/auth/passkey/delete-passkey', { id: 'x' }), STALE);
});

test('an account without a password is deleted with a fresh sign-in', async () => {
  const bob = await app.person('bob');
  const client = await leftAlone(bob);
  await app.db.deleteFrom('accounts').where('user_id', '=', bob.userId).execute();
  assertRefused(await client.send('DELETE', '/me', {}), STALE);
  await age(bob.userId, 1);
  assert.equal((await client.send('DELETE', '/me', {})).status, 204);
});
