// The sign-in library's own routes under /auth: nothing of them lifts anybody above what they are, and every refusal
// has the one error shape (docs/rules/access.md#sign-in).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { type TOTP, URI } from 'otpauth';
import { REACHABLE } from '#src/accounts/reachable.ts';
import { PASSWORD, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { makeClient } from '#test/harness/client.ts';
import { assertErrorBody, assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

test('nobody makes themselves operator, verified, or somebody else by changing their profile', async () => {
  const bob = await app.person('bob');
  for (const fields of [
    { operator: true },
    { emailVerified: true },
    { email: 'alice@example.com' },
    { id: app.alice.userId },
  ]) {
    await bob.send('POST', '/auth/update-user', fields);
    await bob.send('POST', '/auth/update-user', { name: 'Bob', ...fields });
  }
  const row = await app.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', bob.userId)
    .executeTakeFirstOrThrow();
  assert.deepEqual([row.operator, row.email_verified, row.email], [false, false, bob.email]);
});

test('changing the password needs the current one and ends all other sessions', async () => {
  const bob = await app.person('bob');
  const other = makeClient(app.url);
  await other.ok('POST', '/auth/sign-in/email', { email: bob.email, password: PASSWORD });
  const next = 'another long password';
  const wrong = await bob.send('POST', '/auth/change-password', {
    currentPassword: 'guessed wrongly',
    newPassword: next,
  });
  assert.ok(wrong.status >= 400 && wrong.status < 500);
  assertErrorBody(wrong.body);
  await bob.ok('POST', '/auth/change-password', { currentPassword: PASSWORD, newPassword: next });
  assert.equal((await other.send('GET', '/me/organizations')).status, 401, 'the other session goes on');
  assert.equal((await bob.send('GET', '/me/organizations')).status, 200);
  const old = await app
    .visitor()
    .send('POST', '/auth/sign-in/email', { email: bob.email, password: PASSWORD });
  assert.equal(old.status, 401);
});

test('no input to the routes of the library gives a 5xx, and a refusal has its shape', async () => {
  const bob = await app.person('bob');
  const bodies = [
    undefined,
    {},
    { email: { $ne: null }, password: { $ne: null } },
    { name: 'x\u0001'.repeat(1000), image: 'javascript:1' },
    { token: 'x' },
    '[]',
    '7',
  ];
  const paths = [
    'sign-in/email',
    'sign-up/email',
    'sign-out',
    'get-session',
    'update-user',
    'change-password',
    'change-email',
    'delete-user',
    'list-sessions',
    'revoke-session',
    'revoke-sessions',
    'request-password-reset',
    'reset-password',
    'verify-email',
    'send-verification-email',
    'list-accounts',
    'unlink-account',
    'link-social',
    'sign-in/social',
    'refresh-token',
    'ok',
    'nothing',
  ];
  for (const client of [bob, app.visitor()])
    for (const path of paths)
      for (const method of ['GET', 'POST'])
        for (const body of method === 'GET' ? [undefined] : bodies) {
          if (path === 'sign-out' || path.startsWith('revoke-sessions')) continue;
          const answer = await client.send(method, `/auth/${path}`, body);
          assert.ok(
            answer.status < 500,
            `${method} /auth/${path} ${JSON.stringify(body)} answered ${answer.status}`,
          );
          if (answer.status >= 400) assertErrorBody(answer.body);
        }
});

test('a field that a route does not know is refused by name, and a wrong type too', async () => {
  const bob = await app.person('bob');
  for (const { method, path, body, needs } of REACHABLE) {
    if (method === 'GET' || needs) continue;
    const fields = Object.keys((body as { properties?: object } | null)?.properties ?? {});
    const whole = Object.fromEntries(
      fields.map((field) => [field, field === 'response' ? { id: 'x' } : 'x']),
    );
    delete whole.rememberMe;
    delete whole.revokeOtherSessions;
    const strange = await bob.send('POST', `/auth${path}`, { ...whole, surprise: 1 });
    assertRefused(strange, { status: 400, error: 'invalid_request', field: 'surprise' }, path);
    for (const field of fields) {
      const wrong = await bob.send('POST', `/auth${path}`, { ...whole, [field]: [7] });
      assertRefused(wrong, { status: 400, error: 'invalid_request', field }, path);
    }
  }
  assert.equal((await bob.send('GET', '/me')).status, 200);
});

test('no generated body of any route causes a server error or succeeds', async () => {
  const bob = await app.person('bob');
  const { totpURI } = await bob.ok<{ totpURI: string }>('POST', '/auth/two-factor/enable', {
    password: PASSWORD,
  });
  const code = (URI.parse(totpURI) as TOTP).generate();
  await bob.ok('POST', '/auth/two-factor/verify-totp', { code });
  const halfway = app.visitor();
  await halfway.ok('POST', '/auth/sign-in/email', { email: bob.email, password: PASSWORD });
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom('', bob.email, '000000'),
  );
  const value = fc.oneof({ weight: 5, arbitrary: text }, fc.jsonValue({ maxDepth: 3 }));
  const response = fc.record({
    id: text,
    rawId: value,
    type: fc.oneof(fc.constant('public-key'), value),
    response: fc.oneof(
      value,
      fc.dictionary(
        fc.constantFrom(
          'clientDataJSON',
          'attestationObject',
          'authenticatorData',
          'signature',
          'transports',
        ),
        value,
      ),
    ),
    clientExtensionResults: value,
  });
  const fields: Record<string, fc.Arbitrary<unknown>> = { response: fc.oneof(response, value) };
  const request = fc.constantFrom(...REACHABLE.filter(({ needs }) => !needs)).chain((route) => {
    const names = Object.keys((route.body as { properties?: object } | null)?.properties ?? {});
    const body = fc.record(Object.fromEntries(names.map((name) => [name, fields[name] ?? value])));
    return fc.tuple(
      fc.constant(route),
      fc.oneof({ weight: 4, arbitrary: body }, fc.array(value), value.map(notAnObject)),
    );
  });
  const ending = ['/sign-out', '/revoke-sessions', '/revoke-other-sessions'];
  await fc.assert(
    fc.asyncProperty(request, fc.constantFrom(bob, halfway, app.visitor()), async ([route, body], client) => {
      if (ending.includes(route.path)) return;
      if (route.path === '/passkey/verify-registration')
        await client.send('GET', '/auth/passkey/generate-register-options');
      if (route.path === '/passkey/verify-authentication')
        await client.send('GET', '/auth/passkey/generate-authenticate-options');
      const answer = await client.send(
        route.method,
        `/auth${route.path}`,
        route.method === 'GET' ? undefined : JSON.stringify(body),
      );
      assert.ok(answer.status < 500, `${route.path} answered ${answer.status}`);
      if (answer.status >= 400) assertErrorBody(answer.body);
      else assert.equal(route.method, 'GET', `${route.path} took ${JSON.stringify(body)}`);
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 300) },
  );
  assert.equal((await bob.send('GET', '/me')).status, 200);
});

const notAnObject = (value: unknown) => (typeof value === 'object' ? null : value);

test('an expired session is no session', async () => {
  const bob = await app.person('bob');
  await app.db
    .updateTable('sessions')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('user_id', '=', bob.userId)
    .execute();
  assert.equal((await bob.send('GET', '/me/organizations')).status, 401);
});

test('a manipulated cookie is no session', async () => {
  const bob = await app.person('bob');
  const cookie = bob.cookie();
  for (const changed of [
    cookie.slice(0, -4),
    cookie.replace(/=([^.]+)\./, '=$1x.'),
    cookie.split('.')[0] ?? '',
    'tocsin.session_token=x',
    'a=b; c',
  ])
    assert.equal(
      (await app.visitor().send('GET', '/me/organizations', undefined, { cookie: changed })).status,
      401,
      changed,
    );
});
