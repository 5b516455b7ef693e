// The second factor: a code of an authenticator app at every sign-in, or a recovery code
// (docs/rules/access.md#second-factor).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { TOTP, URI } from 'otpauth';
import { turnOffTwoFactor } from '#src/accounts/turn-off-two-factor.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { PASSWORD, type Person, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { type Client, makeClient, signIn } from '#test/harness/client.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

type Enrolment = { totpURI: string; backupCodes: string[] };
type Session = { user: { email: string; twoFactorEnabled: boolean } } | null;
const HALF_MINUTE_MS = 30_000;

/** The authenticator app: codes of now, or of `halfMinutes` later. */
const codeOf = (uri: string, halfMinutes = 0) =>
  (URI.parse(uri) as TOTP).generate({ timestamp: Date.now() + halfMinutes * HALF_MINUTE_MS });
const wrongCode = (uri: string) => {
  const right = [-2, -1, 0, 1, 2].map((step) => codeOf(uri, step));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code))!;
};

async function enrolled(
  name: string,
  at = app,
): Promise<{ person: Person; uri: string; recovery: string[] }> {
  const person = await at.person(name);
  await signIn(person, person.email, PASSWORD);
  const { totpURI, backupCodes } = await person.ok<Enrolment>('POST', '/auth/two-factor/enable', {
    password: PASSWORD,
  });
  await person.ok('POST', '/auth/two-factor/verify-totp', { code: codeOf(totpURI) });
  return { person, uri: totpURI, recovery: backupCodes };
}

async function passwordGiven(email: string, client = app.visitor()): Promise<Client> {
  const answer = await client.ok<{ twoFactorRedirect?: boolean; token?: string }>(
    'POST',
    '/auth/sign-in/email',
    { email, password: PASSWORD },
  );
  assert.equal(answer.twoFactorRedirect, true);
  assert.equal(answer.token, undefined);
  return client;
}

const NOBODY = { status: 401, error: 'unauthenticated' };
const WRONG_CODE = { ...NOBODY, reason: 'invalid_code' };
const WRONG_RECOVERY = { ...NOBODY, reason: 'invalid_backup_code' };
const NO_STEP = { ...NOBODY, reason: 'invalid_two_factor_cookie' };
const WRONG_PASSWORD = { status: 400, error: 'invalid_request', reason: 'invalid_password' };

test('a person enrols with the password and a correct code, and not before', async () => {
  const bob = await app.person('bob');
  const wrong = await bob.send('POST', '/auth/two-factor/enable', { password: 'not the password' });
  assertRefused(wrong, WRONG_PASSWORD);
  const { totpURI, backupCodes } = await bob.ok<Enrolment>('POST', '/auth/two-factor/enable', {
    password: PASSWORD,
  });
  const uri = URI.parse(totpURI);
  assert.ok(uri instanceof TOTP);
  assert.deepEqual([uri.issuer, uri.label, backupCodes.length], ['Tocsin', bob.email, 10]);
  const enabled = async () => (await bob.ok<Session>('GET', '/auth/get-session'))?.user.twoFactorEnabled;
  assert.equal(await enabled(), false);
  assertRefused(
    await bob.send('POST', '/auth/two-factor/verify-totp', { code: wrongCode(totpURI) }),
    WRONG_CODE,
  );
  assert.equal(await enabled(), false);
  await bob.ok('POST', '/auth/two-factor/verify-totp', { code: codeOf(totpURI) });
  assert.equal(await enabled(), true);
  assert.equal((await bob.ok<{ two_factor_enabled: boolean }>('GET', '/me')).two_factor_enabled, true);
});

test('neither the secret nor a recovery code is readable in the database', async () => {
  const { person, uri, recovery } = await enrolled('bob');
  const row = await app.db
    .selectFrom('two_factors')
    .selectAll()
    .where('user_id', '=', person.userId)
    .executeTakeFirstOrThrow();
  const secret = (URI.parse(uri) as TOTP).secret;
  const kept = JSON.stringify(row);
  for (const plain of [secret.base32, secret.utf8, secret.hex, ...recovery])
    assert.ok(!kept.includes(plain), 'sealed');
});

test('between password and code there is no session', async () => {
  const { person, uri } = await enrolled('bob');
  const client = await passwordGiven(person.email);
  assert.equal(await client.ok<Session>('GET', '/auth/get-session'), null);
  for (const [method, path, body] of [
    ['GET', '/me'],
    ['GET', '/me/organizations'],
    ['GET', '/auth/list-sessions'],
    ['POST', '/auth/two-factor/disable', { password: PASSWORD }],
    ['POST', '/auth/change-password', { currentPassword: PASSWORD, newPassword: 'another password' }],
    ['GET', '/auth/passkey/generate-register-options'],
  ] as const)
    assert.equal((await client.send(method, path, body)).status, 401, path);
  await client.ok('POST', '/auth/two-factor/verify-totp', { code: codeOf(uri) });
  assert.equal((await client.ok<Session>('GET', '/auth/get-session'))?.user.email, person.email);
  assert.equal((await client.send('GET', '/me')).status, 200);
});

test('a wrong code is refused, and a code works once', async () => {
  const { person, uri } = await enrolled('bob');
  const first = await passwordGiven(person.email);
  assertRefused(
    await first.send('POST', '/auth/two-factor/verify-totp', { code: wrongCode(uri) }),
    WRONG_CODE,
  );
  const code = codeOf(uri);
  await first.ok('POST', '/auth/two-factor/verify-totp', { code });
  const shoulder = await passwordGiven(person.email);
  assertRefused(await shoulder.send('POST', '/auth/two-factor/verify-totp', { code }), WRONG_CODE);
  await shoulder.ok('POST', '/auth/two-factor/verify-totp', { code: codeOf(uri, 1) });
});

test('of two people who use the same code at once, one gets in', async () => {
  const { person, uri } = await enrolled('bob');
  const both = [await passwordGiven(person.email), await passwordGiven(person.email)];
  const code = codeOf(uri);
  const answers = await Promise.all(
    both.map((client) => client.send('POST', '/auth/two-factor/verify-totp', { code })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
});

test('a code counts only after the password of the same sign-in', async () => {
  const { uri } = await enrolled('bob');
  const carol = await enrolled('carol');
  assertRefused(
    await app.visitor().send('POST', '/auth/two-factor/verify-totp', { code: codeOf(uri) }),
    NO_STEP,
  );
  const client = await passwordGiven(carol.person.email);
  assertRefused(await client.send('POST', '/auth/two-factor/verify-totp', { code: codeOf(uri) }), WRONG_CODE);
});

test('a recovery code works once, even in two requests at once', async () => {
  const { person, recovery } = await enrolled('bob');
  const [code = '', next = ''] = recovery;
  const both = [await passwordGiven(person.email), await passwordGiven(person.email)];
  const answers = await Promise.all(
    both.map((client) => client.send('POST', '/auth/two-factor/verify-backup-code', { code })),
  );
  const passed = answers.filter(({ status }) => status === 200);
  assert.equal(passed.length, 1, JSON.stringify(answers.map(({ status, body }) => [status, body])));
  const again = await passwordGiven(person.email);
  assertRefused(await again.send('POST', '/auth/two-factor/verify-backup-code', { code }), WRONG_RECOVERY);
  await again.ok('POST', '/auth/two-factor/verify-backup-code', { code: next });
});

test('new recovery codes require the password, and invalidate the previous ones', async () => {
  const { person, recovery } = await enrolled('bob');
  const path = '/auth/two-factor/generate-backup-codes';
  assertRefused(await person.send('POST', path, { password: 'not the password' }), WRONG_PASSWORD);
  const { backupCodes } = await person.ok<{ backupCodes: string[] }>('POST', path, { password: PASSWORD });
  const client = await passwordGiven(person.email);
  const old = { code: recovery[0] };
  assertRefused(await client.send('POST', '/auth/two-factor/verify-backup-code', old), WRONG_RECOVERY);
  await client.ok('POST', '/auth/two-factor/verify-backup-code', { code: backupCodes[0] });
});

test('turning it off requires the password, and then the password alone signs in', async () => {
  const { person } = await enrolled('bob');
  const path = '/auth/two-factor/disable';
  assertRefused(await person.send('POST', path, { password: 'not the password' }), WRONG_PASSWORD);
  assertRefused(await person.send('POST', path, {}), {
    status: 400,
    error: 'invalid_request',
    field: 'password',
  });
  await passwordGiven(person.email);
  await person.ok('POST', path, { password: PASSWORD });
  const client = app.visitor();
  await client.ok('POST', '/auth/sign-in/email', { email: person.email, password: PASSWORD });
  assert.equal((await client.send('GET', '/me')).status, 200);
});

test('an active authenticator cannot be replaced before it is turned off', async () => {
  const { person, uri } = await enrolled('bob');
  const refused = await person.send('POST', '/auth/two-factor/enable', { password: PASSWORD });
  const expected = { status: 400, error: 'invalid_request', reason: 'two_factor_already_enabled' };
  assertRefused(refused, expected);
  const client = await passwordGiven(person.email);
  await client.ok('POST', '/auth/two-factor/verify-totp', { code: codeOf(uri, 1) });
  assert.equal((await client.send('GET', '/me')).status, 200);
});

test('a sign-in that waits for its code ends when the password changes', async () => {
  const { person, uri } = await enrolled('bob');
  const begun = await passwordGiven(person.email);
  const newPassword = 'another long password';
  await person.ok('POST', '/auth/change-password', { currentPassword: PASSWORD, newPassword });
  const answer = await begun.send('POST', '/auth/two-factor/verify-totp', { code: codeOf(uri, 1) });
  assertRefused(answer, NO_STEP);
  assert.equal((await begun.send('GET', '/me')).status, 401);
});

test('codes cannot be guessed: five attempts per sign-in, then growing delays, then all strangers wait together', async () => {
  await using on = await startTestApp({ env: { RATE_LIMITS: 'on', TRUST_PROXY: 'on' } });
  const { person, uri } = await enrolled('bob', on);
  const verify = '/auth/two-factor/verify-totp';
  let code = 100_000;
  const nextWrong = () => {
    const right = [-2, -1, 0, 1, 2].map((step) => codeOf(uri, step));
    do code++;
    while (right.includes(String(code)));
    return { code: String(code) };
  };
  const from = (address: string) => makeClient(on.url, { 'x-forwarded-for': address });
  const firstTry = await passwordGiven(person.email, from('198.51.100.1'));
  for (let i = 0; i < 5; i++) assertRefused(await firstTry.send('POST', verify, nextWrong()), WRONG_CODE);
  const held = await firstTry.send('POST', verify, nextWrong());
  assertRefused(held, { status: 429, error: 'rate_limited', reason: 'too_many_tries' });
  assert.equal(held.headers.get('retry-after'), '1');
  on.clock.advance(1000);
  const spent = await firstTry.send('POST', verify, { code: codeOf(uri) });
  assertRefused(spent, {
    status: 400,
    error: 'invalid_request',
    reason: 'too_many_attempts_request_new_code',
  });

  for (let i = 2; i < 6; i++) {
    const elsewhere = await passwordGiven(person.email, from(`198.51.100.${i}`));
    for (let j = 0; j < 4; j++) await elsewhere.send('POST', verify, nextWrong());
  }
  const stranger = await passwordGiven(person.email, from('198.51.100.6'));
  const refused = await stranger.send('POST', verify, { code: codeOf(uri, 1) });
  assertRefused(refused, { status: 429, error: 'rate_limited', reason: 'too_many_tries' });
  // The owner has signed in from this address before.
  const home = await passwordGiven(person.email, on.visitor());
  await home.ok('POST', verify, { code: codeOf(uri, 1) });
});

test('no device is trusted: every sign-in needs the second factor', async () => {
  const { person, uri } = await enrolled('bob');
  const client = await passwordGiven(person.email);
  assertRefused(
    await client.send('POST', '/auth/two-factor/verify-totp', { code: codeOf(uri), trustDevice: true }),
    { status: 400, error: 'invalid_request', field: 'trustDevice' },
  );
});

test('changes of the second factor are recorded, without codes or secrets', async () => {
  const { person, uri, recovery } = await enrolled('bob');
  await person.ok('POST', '/auth/two-factor/generate-backup-codes', { password: PASSWORD });
  await person.ok('POST', '/auth/two-factor/disable', { password: PASSWORD });
  const rows = await app.db
    .selectFrom('activity')
    .selectAll()
    .where('resource_id', '=', person.userId)
    .orderBy('id')
    .execute();
  assert.deepEqual(
    rows.map(({ action }) => action),
    [
      'account.sign_in',
      'account.two_factor_enable',
      'account.recovery_codes_renew',
      'account.two_factor_disable',
    ],
  );
  const text = JSON.stringify(rows);
  for (const secret of [...recovery, (URI.parse(uri) as TOTP).secret.base32])
    assert.ok(!text.includes(secret));
  assert.ok(rows.every(({ org_id, actor_id }) => org_id === null && actor_id === person.userId));
});

test('the operator turns off a lost second factor: only the password signs in, and no old session works', async () => {
  const { person } = await enrolled('lost');
  const waiting = await passwordGiven(person.email);
  const turnOff = () =>
    runWork(app.db, app.clock.now(), SYSTEM, (work) => turnOffTwoFactor(work, person.email));
  assert.equal(await turnOff(), true);
  assertRefused(await person.send('GET', '/me'), NOBODY);
  assertRefused(await waiting.send('POST', '/auth/two-factor/verify-totp', { code: '123456' }), NO_STEP);
  await person.ok('POST', '/auth/sign-in/email', { email: person.email, password: PASSWORD });
  assert.equal((await person.ok<{ two_factor_enabled: boolean }>('GET', '/me')).two_factor_enabled, false);
  assert.equal(await turnOff(), false);
});
