// Signing up where mails can be sent (docs/rules/access.md#sign-up).
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Me } from '#src/accounts/contract.ts';
import { PASSWORD, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { type Mailbox, startMailbox } from '#test/harness/mailbox.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { squatAt } from '#test/harness/squatter.ts';
import { until } from '#test/harness/until.ts';

let mailbox: Mailbox;
let app: TestApp;
before(async () => {
  mailbox = await startMailbox();
  app = await startAppOfFile({
    env: { SIGNUP: 'open', SMTP_URL: mailbox.url, MAIL_FROM: 'tocsin@example.com' },
  });
});
after(() => mailbox.stop());

let email = '';
let made = 0;
beforeEach(() => {
  email = `person-${++made}@corp.example`;
});

const signUp = (password = PASSWORD, address = email) =>
  app.visitor().send('POST', '/auth/sign-up/email', { email: address, password, name: 'Petra' });
const mailsTo = (address: string) =>
  mailbox.received.filter(({ recipients }) => recipients.includes(address));
const nextMail = async (subject: RegExp) =>
  (
    await mailbox.next(
      ({ recipients, mail }) => recipients.includes(email) && subject.test(mail.subject ?? ''),
    )
  ).mail.text ?? '';
const tokenIn = (text: string) => /\/app\/confirm-sign-up#token=([\w-]+)/.exec(text)?.[1] ?? '';
const confirm = (token: string, password = PASSWORD, by = app.visitor()) =>
  by.send<{ reason?: string }>('POST', '/auth/sign-up/confirm', { token, password });
const proven = async () => {
  const person = await app.person(`bob-${made}`);
  await app.db.updateTable('users').set({ email_verified: true }).where('email', '=', person.email).execute();
  return person;
};
const SPENT = { status: 400, error: 'invalid_request', field: 'token', reason: 'invalid_token' };

test('following the mailed link creates the account, verifies the address and signs in', async () => {
  const asked = await signUp();
  assert.deepEqual([asked.status, asked.body], [200, { token: null, user: null, mailed_to: email }]);
  assert.deepEqual(asked.headers.getSetCookie(), []);
  const signIn = { email, password: PASSWORD };
  assert.equal((await app.visitor().send('POST', '/auth/sign-in/email', signIn)).status, 401);

  const token = tokenIn(await nextMail(/Confirm your address/));
  const petra = app.visitor();
  assert.equal((await confirm(token, PASSWORD, petra)).status, 200);
  const me = await petra.ok<Me>('GET', '/me');
  assert.deepEqual([me.email, me.name, me.operator], [email, 'Petra', false]);
  const kept = await app.db.selectFrom('users').select('email_verified').where('email', '=', email).execute();
  assert.deepEqual(kept, [{ email_verified: true }]);
  await app.visitor().ok('POST', '/auth/sign-in/email', signIn);
  assertRefused(await confirm(token), SPENT);
});

test('a person who signs up with a German browser gets mails in German from then on', async () => {
  const browser = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };
  const asked = { email, password: PASSWORD, name: 'Petra' };
  await app.visitor().send('POST', '/auth/sign-up/email', asked, browser);
  const token = tokenIn(await nextMail(/^Bestätigen Sie Ihre Adresse/));
  const petra = app.visitor();
  await petra.send('POST', '/auth/sign-up/confirm', { token, password: PASSWORD }, browser);
  assert.equal((await petra.ok<Me>('GET', '/me')).language, 'de');
  await app.visitor().send('POST', '/auth/request-password-reset', { email }, { 'accept-language': 'en' });
  assert.match(await nextMail(/^Wählen Sie ein neues Passwort/), /Der Link gilt einmal, 30 Minuten lang/);
});

test('an address with an account gets the same answer as one without, and its owner gets a mail', async () => {
  const bob = await proven();
  const free = await signUp();
  const registered = await signUp('another long password', bob.email);
  const names = (headers: Headers) => [...headers.keys()].sort();
  assert.deepEqual([registered.status, names(registered.headers)], [free.status, names(free.headers)]);
  assert.deepEqual(registered.body, { token: null, user: null, mailed_to: bob.email });
  email = bob.email;
  const text = await nextMail(/already have an account/);
  assert.match(text, /\/app\/forgot-password/);
  assert.equal(tokenIn(text), '');
  const wrong = { email, password: 'another long password' };
  assert.equal((await app.visitor().send('POST', '/auth/sign-in/email', wrong)).status, 401);
  await app.visitor().ok('POST', '/auth/sign-in/email', { email, password: PASSWORD });
});

test('an unsolicited link creates no account for somebody else: it needs the password', async () => {
  await signUp('chosen by somebody else');
  const token = tokenIn(await nextMail(/Confirm/));
  assertRefused(await confirm(token, 'a guess of the owner'), {
    status: 401,
    error: 'unauthenticated',
    field: 'password',
    reason: 'invalid_password',
  });
  assert.equal((await confirm(token, 'chosen by somebody else')).status, 200);
});

test('a sign-up takes over an unproven account, emptied', async () => {
  const squatter = await squatAt(app, email);
  await signUp('the password of the owner');
  const owner = app.visitor();
  const token = tokenIn(await nextMail(/Confirm/));
  assert.equal((await confirm(token, 'the password of the owner', owner)).status, 200);
  assert.equal((await squatter.send('GET', '/me')).status, 401);
  assert.equal((await owner.ok<Me>('GET', '/me')).first_proof?.removed.passwords, 1);
});

test('an address gets at most three mails a day, and following one link invalidates the others', async () => {
  for (let no = 0; no < 5; no += 1) assert.equal((await signUp()).status, 200);
  await until(() => mailsTo(email).length === 3, 'three mails are there');
  const tokens = mailsTo(email).map(({ mail }) => tokenIn(mail.text ?? ''));
  assert.equal(new Set(tokens).size, 3);
  assert.equal((await confirm(tokens[1] ?? '')).status, 200);
  assertRefused(await confirm(tokens[0] ?? ''), SPENT);
  await signUp();
  await nextMail(/already have/);
  assert.equal(mailsTo(email).length, 4, 'the fourth and the fifth were never sent');
});

test('a link is void after a day', async () => {
  await signUp();
  const token = tokenIn(await nextMail(/Confirm/));
  app.clock.advance(24 * 3_600_000);
  assertRefused(await confirm(token), SPENT);
});

test('a mail that could not be sent does not count, and the answer does not reveal it', async () => {
  mailbox.refuse('550 5.1.1 no such user');
  const links = () =>
    app.db.selectFrom('verifications').select('id').where('id', 'like', 'sign-up\\_%').execute();
  const before = (await links()).length;
  for (let no = 0; no < 4; no += 1) {
    assert.equal((await signUp()).status, 200);
    await until(async () => (await links()).length === before, 'the link that nobody got is gone');
  }
  mailbox.refuse(null);
  await signUp();
  await nextMail(/Confirm/);
});

test('errors in the sign-up are reported before the address is looked up', async () => {
  const bob = await proven();
  for (const address of [email, bob.email])
    for (const [password, reason] of [
      ['short', 'password_too_short'],
      ['password1', 'common_password'],
      ['x'.repeat(129), 'password_too_long'],
    ] as const)
      assertRefused(await signUp(password, address), {
        status: 400,
        error: 'invalid_request',
        field: 'password',
        reason,
      });
});
