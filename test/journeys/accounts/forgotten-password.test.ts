// A forgotten password: asked for, mailed, spent (docs/rules/access.md#forgotten-passwords).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TOTP, URI } from 'otpauth';
import { makePasswordResetLink } from '#src/accounts/forgotten-password.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { PASSWORD, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { signIn as signInAs } from '#test/harness/client.ts';
import { type Mailbox, startMailbox } from '#test/harness/mailbox.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { until } from '#test/harness/until.ts';

let mailbox: Mailbox;
let app: TestApp;
before(async () => {
  mailbox = await startMailbox();
  app = await startAppOfFile({
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'tocsin@example.com', BASE_URL: 'https://tocsin.example' },
  });
});
after(() => mailbox.stop());

const NEXT = 'another long password';
const VOID = { status: 400, error: 'invalid_request', reason: 'invalid_token' };
const LINK = /https:\/\/tocsin\.example\/app\/new-password#token=([\w-]+)/;
const ask = (email: string) => app.visitor().send('POST', '/auth/request-password-reset', { email });
const spend = (token: string, newPassword = NEXT) =>
  app.visitor().send('POST', '/auth/reset-password', { token, newPassword });
const signIn = async (email: string, password: string) =>
  (await app.visitor().send('POST', '/auth/sign-in/email', { email, password })).status;

async function tokenFor(email: string): Promise<string> {
  const { length } = mailbox.received;
  assert.equal((await ask(email)).status, 200);
  const { mail } = await mailbox.next(
    (received) =>
      received.recipients.includes(email) &&
      mailbox.received.indexOf(received) >= length &&
      received.mail.subject?.startsWith('Choose a new password') === true,
  );
  const token = LINK.exec(mail.text ?? '')?.[1] ?? '';
  assert.ok(mail.html?.includes(`#token=${token}`));
  return token;
}

test('the mailed link sets a new password once and ends every session', async () => {
  const bob = await app.person('bob');
  const token = await tokenFor(bob.email);
  assert.equal((await spend(token)).status, 200);
  assert.equal((await bob.send('GET', '/me')).status, 401);
  assert.deepEqual([await signIn(bob.email, PASSWORD), await signIn(bob.email, NEXT)], [401, 200]);
  assertRefused(await spend(token, 'yet another password'), VOID);
  const rows = await app.db
    .selectFrom('activity')
    .selectAll()
    .where('action', '=', 'account.password_reset')
    .where('resource_id', '=', bob.userId)
    .execute();
  assert.equal(rows.length, 1);
  assert.ok(!JSON.stringify(rows).includes(token));
  const user = await app.db
    .selectFrom('users')
    .select('email_verified')
    .where('id', '=', bob.userId)
    .executeTakeFirst();
  assert.equal(user?.email_verified, true, 'whoever read the mail has the address');
});

for (const [proven, asked] of [
  [true, true],
  [false, undefined],
] as const)
  test(`after a password reset the second factor ${proven ? 'is still asked for' : 'of an address that was never proven is gone'}`, async () => {
    const ivy = await app.person('ivy');
    await app.db.updateTable('users').set({ email_verified: proven }).where('id', '=', ivy.userId).execute();
    await signInAs(ivy, ivy.email, PASSWORD);
    const { totpURI } = await ivy.ok<{ totpURI: string }>('POST', '/auth/two-factor/enable', {
      password: PASSWORD,
    });
    await ivy.ok('POST', '/auth/two-factor/verify-totp', { code: (URI.parse(totpURI) as TOTP).generate() });
    assert.equal((await spend(await tokenFor(ivy.email))).status, 200);
    const answer = await app.visitor().ok<{ twoFactorRedirect?: boolean }>('POST', '/auth/sign-in/email', {
      email: ivy.email,
      password: NEXT,
    });
    assert.equal(answer.twoFactorRedirect, asked);
  });

test('of two people who use a link at once, one succeeds', async () => {
  const bob = await app.person('bob');
  const token = await tokenFor(bob.email);
  const answers = await Promise.all([spend(token, 'password of one'), spend(token, 'password of two')]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
});

test('a new password invalidates the other open links', async () => {
  const bob = await app.person('bob');
  const [first, second] = [await tokenFor(bob.email), await tokenFor(bob.email)];
  assert.equal((await spend(first)).status, 200);
  assertRefused(await spend(second, 'yet another password'), VOID);
  const third = await tokenFor(bob.email);
  const client = app.visitor();
  await client.ok('POST', '/auth/sign-in/email', { email: bob.email, password: NEXT });
  await client.ok('POST', '/auth/change-password', { currentPassword: NEXT, newPassword: PASSWORD });
  assertRefused(await spend(third, 'yet another password'), VOID);
  assert.equal(await signIn(bob.email, PASSWORD), 200);
});

test('repeatedly requesting another person’s links does not keep them from getting one', async () => {
  const bob = await app.person('bob');
  const mails = () => mailbox.received.filter(({ recipients }) => recipients.includes(bob.email));
  const links = () => app.db.selectFrom('verifications').selectAll().where('value', '=', bob.userId);
  for (let i = 0; i < 3; i++) await tokenFor(bob.email);
  const mailed = (await links().execute()).map(({ id }) => id);
  for (let i = 0; i < 5; i++) assert.equal((await ask(bob.email)).status, 200);
  await until(async () => (await links().execute()).length === 3, 'no link is left that nobody got');
  assert.equal(mails().length, 3);
  await app.db
    .updateTable('verifications')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', 'in', mailed)
    .execute();
  assert.equal((await spend(await tokenFor(bob.email))).status, 200);
});

test('the link of a deleted account is void', async () => {
  const bob = await app.person('bob');
  const token = await tokenFor(bob.email);
  await bob.ok('DELETE', '/me', { password: PASSWORD });
  assertRefused(await spend(token), VOID);
});

test('the token is stored as a hash and is void after 30 minutes', async () => {
  const bob = await app.person('bob');
  const token = await tokenFor(bob.email);
  const rows = await app.db.selectFrom('verifications').selectAll().where('value', '=', bob.userId).execute();
  assert.equal(rows.length, 1);
  assert.ok(!JSON.stringify(rows).includes(token));
  const leftMs = (rows[0]?.expires_at.getTime() ?? 0) - Date.now();
  assert.ok(leftMs > 29 * 60_000 && leftMs <= 30 * 60_000);
  await app.db
    .updateTable('verifications')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('value', '=', bob.userId)
    .execute();
  assertRefused(await spend(token), VOID);
  // What lies in the database opens nothing.
  const stored = rows[0]?.identifier ?? '';
  for (const guess of [stored, stored.replace('reset-password:', '')])
    assertRefused(await spend(guess), VOID);
  assert.equal(await signIn(bob.email, PASSWORD), 200);
});

test('the answer does not reveal whether an account exists', async () => {
  const bob = await app.person('bob');
  const [known, unknown] = [await ask(bob.email), await ask('nobody@example.com')];
  assert.deepEqual([unknown.status, unknown.body], [known.status, known.body]);
  await mailbox.next(({ recipients }) => recipients.includes(bob.email));
  assert.ok(!mailbox.received.some(({ recipients }) => recipients.includes('nobody@example.com')));
});

test('nobody’s mailbox is flooded: at most three links at a time', async () => {
  const bob = await app.person('bob');
  for (let i = 0; i < 3; i++) await tokenFor(bob.email);
  for (let i = 0; i < 3; i++) assert.equal((await ask(bob.email)).status, 200);
  const carol = await app.person('carol');
  await tokenFor(carol.email);
  assert.equal(mailbox.received.filter(({ recipients }) => recipients.includes(bob.email)).length, 3);
});

test('an invalid password leaves the link usable', async () => {
  const bob = await app.person('bob');
  const token = await tokenFor(bob.email);
  for (const newPassword of ['short', 'x'.repeat(129), 7, null]) {
    const answer = await app.visitor().send('POST', '/auth/reset-password', { token, newPassword });
    assert.equal(answer.status, 400);
  }
  assert.equal((await spend(token)).status, 200);
});

test('a refusal by the mail server is not shown to the caller', async () => {
  const bob = await app.person('bob');
  mailbox.refuse('550 5.1.1 no such user');
  const answer = await ask(bob.email);
  mailbox.refuse(null);
  assert.deepEqual([answer.status, answer.body], [200, (await ask('nobody@example.com')).body]);
});

test('a link whose mail could not be sent does not count', async () => {
  const bob = await app.person('bob');
  const links = () =>
    app.db.selectFrom('verifications').select('id').where('value', '=', bob.userId).execute();
  mailbox.refuse('450 4.7.1 try again later', bob.email);
  for (let i = 0; i < 3; i++) {
    assert.equal((await ask(bob.email)).status, 200);
    await until(async () => (await links()).length === 0, 'the link that nobody got is gone');
  }
  mailbox.refuse(null);
  assert.equal((await spend(await tokenFor(bob.email))).status, 200);
});

test('without a mail server nobody can request a link, and the operator creates one', async () => {
  await using silent = await startTestApp();
  assert.equal((await silent.visitor().ok<{ mail: boolean }>('GET', '/auth/installation')).mail, false);
  const refused = await silent.visitor().send('POST', '/auth/request-password-reset', { email: 'a@b.co' });
  assertRefused(refused, { status: 404, error: 'not_found' });
  const bob = await silent.person('bob');
  const make = (email: string) =>
    runWork(silent.db, new Date(), SYSTEM, (work) => makePasswordResetLink(work, silent.url, email));
  const link = new URL(await make(` ${bob.email.toUpperCase()} `));
  assert.equal(link.pathname, '/app/new-password');
  const token = link.hash.replace('#token=', '');
  const body = { token, newPassword: NEXT };
  assert.equal((await silent.visitor().send('POST', '/auth/reset-password', body)).status, 200);
  assert.equal((await bob.send('GET', '/me')).status, 401);
  assertRefused(await silent.visitor().send('POST', '/auth/reset-password', body), VOID);
  await assert.rejects(make('nobody@example.com'), /no such account/);
});
