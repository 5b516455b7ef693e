// The sign-in library's own routes under /auth: nothing of them lifts anybody above what they are, and every refusal
// has the one error shape (decisions, section 2).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { PASSWORD, startAppOfFile, type TestApp } from '../harness/app.ts';
import { makeClient } from '../harness/client.ts';
import { assertErrorBody } from '../harness/refused.ts';

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

test('changing the password wants the present one and ends all other sessions', async () => {
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

test('whatever is sent to the routes of the library, the answer is no 5xx and a refusal has its shape', async () => {
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

test('a session that has run out is no session', async () => {
  const bob = await app.person('bob');
  await app.db
    .updateTable('sessions')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('user_id', '=', bob.userId)
    .execute();
  assert.equal((await bob.send('GET', '/me/organizations')).status, 401);
});

test('a cookie that was tampered with is no session', async () => {
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
