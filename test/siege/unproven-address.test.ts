// An attacker signs up with somebody else's address and waits in the account for its owner.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type TOTP, URI } from 'otpauth';
import type { Me } from '#src/accounts/contract.ts';
import type { Role } from '#src/domain/names.ts';
import { PASSWORD, type Place, startAppOfFile, type TestApp } from '../harness/app.ts';
import { makeAuthenticator } from '../harness/authenticator.ts';
import type { Client } from '../harness/client.ts';
import { type Mailbox, startMailbox } from '../harness/mailbox.ts';
import { CLIENT, startProvider, type TestProvider } from '../harness/oidc-provider.ts';
import { squatAt } from '../harness/squatter.ts';
import { until } from '../harness/until.ts';

const BASE_URL = 'https://tocsin.example';
const OWN = 'a password of the true owner';

let mailbox: Mailbox;
let provider: TestProvider;
let app: TestApp;
before(async () => {
  mailbox = await startMailbox();
  provider = await startProvider(`${BASE_URL}/auth/oauth2/callback/oidc`);
  app = await startAppOfFile({
    env: {
      BASE_URL,
      SIGNUP: 'open',
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'tocsin@example.com',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
    },
  });
});
after(async () => {
  await mailbox.stop();
  await provider.stop();
});

let made = 0;
const address = () => `victim-${++made}@corp.example`;
const signInWith = (email: string, password: string) =>
  app.visitor().send('POST', '/auth/sign-in/email', { email, password });
const mailTo = async (email: string, what: RegExp) =>
  (await mailbox.next(({ recipients, mail }) => recipients.includes(email) && what.test(mail.subject ?? '')))
    .mail;

/** Everything that the attacker leaves in an account for the victim's address, and whether it still opens anything. */
async function squat(email: string) {
  const attacker = await squatAt(app, email);
  const passkey = makeAuthenticator(BASE_URL);
  await passkey.addTo(attacker);
  const place = await attackersPlace(attacker);
  const { key } = await attacker.ok<{ key: string }>('POST', `/organizations/${place.orgId}/api-keys`, {
    name: 'stays behind',
    scopes: ['organization:read'],
  });
  const { totpURI } = await attacker.ok<{ totpURI: string }>('POST', '/auth/two-factor/enable', {
    password: PASSWORD,
  });
  const code = (URI.parse(totpURI) as TOTP).generate();
  await attacker.ok('POST', '/auth/two-factor/verify-totp', { code });
  // A sign-in that still waits for its code.
  const waiting = app.visitor();
  await waiting.ok('POST', '/auth/sign-in/email', { email, password: PASSWORD });
  const later = (URI.parse(totpURI) as TOTP).generate({ timestamp: Date.now() + 30_000 });

  assert.equal(await passkey.signIn(app.visitor()), 200, 'the attack is ready');
  return async () => {
    assert.equal((await attacker.send('GET', '/me')).status, 401, 'the session is void');
    assert.equal(await passkey.signIn(app.visitor()), 401, 'the passkey is void');
    const second = await waiting.send('POST', '/auth/two-factor/verify-totp', { code: later });
    assert.equal(second.status, 401, 'the waiting second step is void');
    assert.equal((await signInWith(email, PASSWORD)).status, 401, 'the password is void');
    const byKey = await app
      .visitor()
      .send('GET', `/organizations/${place.orgId}/members`, undefined, { authorization: `Bearer ${key}` });
    assert.equal(byKey.status, 401, 'the API key is void');
  };
}

async function attackersPlace(attacker: Client): Promise<Place> {
  const { id } = await attacker.ok<{ id: string }>('POST', '/organizations', { name: `Trap ${made}` });
  return { orgId: id, projectId: '' };
}

/** The owner is in, without anything of the attacker's, and was notified. */
async function belongsTo(owner: Client, email: string): Promise<void> {
  const me = await owner.ok<Record<string, unknown>>('GET', '/me');
  assert.deepEqual([me.email, me.passkeys, me.two_factor_enabled], [email, 0, false]);
  const notice = await mailTo(email, /cleared/);
  for (const words of ['1 passkey', '1 authenticator app', 'sessions', '1 API key', `Trap ${made} (owner)`])
    assert.ok(notice.text?.includes(words), words);
  const { removed } = me.first_proof as NonNullable<Me['first_proof']>;
  assert.deepEqual([removed.passkeys, removed.authenticators, removed.api_keys], [1, 1, 1]);
  await owner.ok('DELETE', '/me/first-proof');
  await owner.ok('DELETE', '/me/first-proof');
  assert.equal((await owner.ok<Me>('GET', '/me')).first_proof, null, 'what was read is not shown again');
  const recorded = await app.db
    .selectFrom('activity')
    .select('after')
    .where('action', '=', 'account.address_prove')
    .where('resource_id', '=', String(me.user_id))
    .execute();
  assert.equal(recorded.length, 1);
}

test('after the owner resets the password by mail, no earlier credential works', async () => {
  const email = address();
  const assertVoid = await squat(email);
  await app.visitor().ok('POST', '/auth/request-password-reset', { email });
  const { text } = await mailTo(email, /new password/);
  const [, token = ''] = /#token=([\w-]+)/.exec(text ?? '') ?? [];
  await app.visitor().ok('POST', '/auth/reset-password', { token, newPassword: OWN });
  await assertVoid();
  const owner = app.visitor();
  await owner.ok('POST', '/auth/sign-in/email', { email, password: OWN });
  await belongsTo(owner, email);
});

test('the same after the owner signs in with an OIDC provider that verified the address', async () => {
  const email = address();
  const assertVoid = await squat(email);
  provider.person = { sub: email, email, email_verified: true, name: 'Victoria' };
  const owner = app.visitor();
  const { url } = await owner.ok<{ url: string }>('POST', '/auth/sign-in/oauth2', {});
  const back = await provider.visit(url);
  assert.equal((await owner.send('GET', back.pathname + back.search)).headers.get('location'), '/app/');
  await assertVoid();
  await belongsTo(owner, email);
});

test('the same after the owner accepts an invitation mailed to the address', async () => {
  const email = address();
  const assertVoid = await squat(email);
  const body = { email, role: 'member' satisfies Role };
  await app.alice.ok('POST', `/organizations/${app.home.orgId}/invitations`, body);
  const { text } = await mailTo(email, /invites you/);
  const [, token = ''] = /#token=([\w-]+)/.exec(text ?? '') ?? [];
  const seen = await app
    .visitor()
    .ok<{ has_account: boolean }>('POST', '/auth/invitations/look-up', { token });
  assert.equal(seen.has_account, false, 'what nobody proved is no account to who has the link');
  const owner = app.visitor();
  await owner.ok('POST', '/auth/invitations/accept', { token, name: 'Victoria', password: OWN });
  await assertVoid();
  await belongsTo(owner, email);
});

test('a session of an unproven account cannot join through a mailed link without a new password', async () => {
  const email = address();
  const planted = await squatAt(app, email);
  const body = { email, role: 'member' };
  await app.alice.ok('POST', `/organizations/${app.home.orgId}/invitations`, body);
  const { text } = await mailTo(email, /invites you/);
  const [, token = ''] = /#token=([\w-]+)/.exec(text ?? '') ?? [];
  const refused = await planted.send<{ field?: string }>('POST', '/auth/invitations/accept', { token });
  assert.deepEqual([refused.status, refused.body.field], [400, 'name']);
});

test('provoking a failed mail and accepting with the returned token proves nothing', async () => {
  const email = address();
  mailbox.refuse('550 5.1.1 no such user');
  const path = `/organizations/${app.home.orgId}/invitations`;
  const made = await app.alice.ok<{ invite_token: string }>('POST', path, { email, role: 'member' });
  mailbox.refuse(null);
  const attacker = app.visitor();
  const account = { token: made.invite_token, name: 'The Boss', password: PASSWORD };
  await attacker.ok('POST', '/auth/invitations/accept', account);
  const passkey = makeAuthenticator(BASE_URL);
  await passkey.addTo(attacker);

  await app.visitor().ok('POST', '/auth/request-password-reset', { email });
  const { text } = await mailTo(email, /new password/);
  const [, token = ''] = /#token=([\w-]+)/.exec(text ?? '') ?? [];
  await app.visitor().ok('POST', '/auth/reset-password', { token, newPassword: OWN });
  assert.equal((await attacker.send('GET', '/me')).status, 401);
  assert.equal(await passkey.signIn(app.visitor()), 401);
});

test('a proven address keeps its passkey through a forgotten password', async () => {
  const email = address();
  await squat(email);
  const reset = async (newPassword: string) => {
    const { length } = mailbox.received;
    await app.visitor().ok('POST', '/auth/request-password-reset', { email });
    const { mail } = await mailbox.next(
      (received) =>
        received.recipients.includes(email) &&
        mailbox.received.indexOf(received) >= length &&
        /new password/.test(received.mail.subject ?? ''),
    );
    const [, token = ''] = /#token=([\w-]+)/.exec(mail.text ?? '') ?? [];
    await app.visitor().ok('POST', '/auth/reset-password', { token, newPassword });
  };
  await reset(OWN);
  const owner = app.visitor();
  await owner.ok('POST', '/auth/sign-in/email', { email, password: OWN });
  const passkey = makeAuthenticator(BASE_URL);
  await passkey.addTo(owner);
  await reset('yet another long password');
  assert.equal(await passkey.signIn(app.visitor()), 200);
});

/**
 * Blocks all writes to a table while `act` runs; resolves with the answer to the request that `begin` starts and that waits.
 */
async function whileWaiting<T>(
  table: 'sessions' | 'passkeys',
  begin: () => Promise<T>,
  act: () => Promise<unknown>,
): Promise<T> {
  const begun = await app.db.transaction().execute(async (tx) => {
    await sql`LOCK TABLE ${sql.table(table)} IN SHARE MODE`.execute(tx);
    const answer = begin();
    await until(async () => {
      const { rows } = await sql`
        SELECT FROM pg_locks WHERE relation = to_regclass(${table}) AND NOT granted`.execute(app.db);
      return rows.length > 0;
    }, 'somebody waits');
    await act();
    return { answer };
  });
  return begun.answer;
}

test('a sign-in with the old password in progress while the address is proven fails', async () => {
  const email = address();
  await squatAt(app, email, { signsIn: false });
  const attacker = app.visitor();
  const { status } = await whileWaiting(
    'sessions',
    () => attacker.send('POST', '/auth/sign-in/email', { email, password: PASSWORD }),
    () => app.db.updateTable('users').set({ email_verified: true }).where('email', '=', email).execute(),
  );
  assert.deepEqual([status, (await attacker.send('GET', '/me')).status], [401, 401]);
});

test('a passkey that is being added while its session is revoked is not added', async () => {
  const email = address();
  const attacker = await squatAt(app, email);
  const passkey = makeAuthenticator(BASE_URL);
  const { id } = await app.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const refused = await whileWaiting(
    'passkeys',
    () => passkey.addTo(attacker).catch((error: Error) => error),
    () => app.db.deleteFrom('sessions').where('user_id', '=', id).execute(),
  );
  assert.match(String(refused), /refused with 401/);
  assert.equal(await passkey.signIn(app.visitor()), 401);
});
