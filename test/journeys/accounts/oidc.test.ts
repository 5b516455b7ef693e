// Signing in with a provider of the organization's own, from the button to the session (docs/rules/access.md#oidc).
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { PASSWORD, type Person, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { type Client, signIn } from '#test/harness/client.ts';
import { closedPort } from '#test/harness/listeners.ts';
import { CLIENT, startProvider, type TestProvider } from '#test/harness/oidc-provider.ts';
import { assertErrorBody, assertRefused } from '#test/harness/refused.ts';

const BASE_URL = 'http://tocsin.test';
const START = '/auth/sign-in/oauth2';
const envFor = (issuer: string) => ({
  BASE_URL,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_NAME: 'Example ID',
});

let provider: TestProvider;
let app: TestApp;
before(async () => {
  provider = await startProvider(`${BASE_URL}/auth/oauth2/callback/oidc`);
  app = await startAppOfFile({ env: envFor(provider.issuer) });
});
after(() => provider.stop());

const somebody = (email: string, more = {}) => ({
  sub: randomBytes(6).toString('hex'),
  email,
  email_verified: true,
  name: 'Somebody',
  ...more,
});
const pathOf = (url: URL) => url.pathname + url.search;

async function begin(client: Client, body: object = {}): Promise<string> {
  const { url } = await client.ok<{ url: string }>('POST', START, { providerId: 'oidc', ...body });
  return url;
}

/** The whole way; answers where the browser ends up. */
async function signInAs(person: TestProvider['person'], client: Client, body: object = {}): Promise<string> {
  provider.person = person;
  const back = await provider.visit(await begin(client, body));
  assert.equal(back.origin, BASE_URL);
  const answer = await client.send('GET', pathOf(back));
  assert.equal(answer.status, 302, JSON.stringify(answer.body));
  return answer.headers.get('location') ?? '';
}

const isSignedIn = async (client: Client) => (await client.send('GET', '/me')).status === 200;
const usersWith = (email: string) =>
  app.db.selectFrom('users').selectAll().where('email', '=', email).execute();

/** A person with a password whose address was proven, by a mailed link say. */
async function proven(name: string): Promise<Person> {
  const person = await app.person(name);
  await app.db.updateTable('users').set({ email_verified: true }).where('id', '=', person.userId).execute();
  return person;
}

/** Answers the link's token: no mail is sent here. */
async function invite(email: string): Promise<string> {
  const path = `/organizations/${app.home.orgId}/invitations`;
  const body = { email, role: 'member' };
  return (await app.alice.ok<{ invite_token: string }>('POST', path, body)).invite_token;
}

test('the sign-in page gets the name of the provider', async () => {
  const { oidc } = await app.visitor().ok<{ oidc: unknown }>('GET', '/auth/installation');
  assert.deepEqual(oidc, { name: 'Example ID' });
});

test('a person with an account signs in, the first time and again, and no token of the provider is stored', async () => {
  const bob = await proven('bob');
  const person = somebody(bob.email.toUpperCase());
  await signIn(app.visitor(), bob.email, PASSWORD);
  for (let i = 0; i < 2; i++) {
    const client = app.visitor();
    assert.equal(await signInAs(person, client), '/app/');
    const me = await client.ok<{ user_id: string; email: string }>('GET', '/me');
    assert.deepEqual([me.user_id, me.email], [bob.userId, bob.email]);
  }
  const accounts = await app.db
    .selectFrom('accounts')
    .selectAll()
    .where('user_id', '=', bob.userId)
    .where('provider_id', '=', 'oidc')
    .execute();
  assert.equal(accounts.length, 1);
  const { account_id, access_token, refresh_token, id_token } = accounts[0]!;
  assert.deepEqual(
    [account_id, access_token, refresh_token, id_token],
    [`${provider.issuer} ${person.sub}`, null, null, null],
  );
  const recorded = await app.db
    .selectFrom('activity')
    .select('action')
    .where('resource_id', '=', bob.userId)
    .execute();
  assert.equal(recorded.filter(({ action }) => action === 'account.sign_in').length, 3);
});

test('a linked person is recognized by the provider’s subject, even with a new address there', async () => {
  const bob = await proven('bob');
  const person = somebody(bob.email);
  await signInAs(person, app.visitor());
  const client = app.visitor();
  await signInAs({ ...person, email: 'renamed@example.com' }, client);
  assert.equal((await client.ok<{ user_id: string }>('GET', '/me')).user_id, bob.userId);
});

test('an address that the provider has not verified gives no access', async () => {
  const bob = await proven('bob');
  for (const verified of [false, undefined, 'true' as never]) {
    const client = app.visitor();
    const end = await signInAs(somebody(bob.email, { email_verified: verified }), client);
    assert.equal(end, '/app/sign-in?error=email_not_verified');
    assert.equal(await isSignedIn(client), false);
  }
  const client = app.visitor();
  const nameless = { sub: 'nobody', email_verified: true };
  assert.equal(await signInAs(nameless, client), '/app/sign-in?error=email_is_missing');
});

test('people without an invitation get no account; invited people get one, and then accept', async () => {
  const email = 'newcomer@example.com';
  const refused = app.visitor();
  assert.equal(await signInAs(somebody(email), refused), '/app/sign-in?error=signup_disabled');
  assert.equal(await isSignedIn(refused), false);
  assert.deepEqual(await usersWith(email), []);

  await invite(email);
  const client = app.visitor();
  assert.equal(await signInAs(somebody(email, { name: 'New Comer' }), client), '/app/');
  const [user] = await usersWith(email);
  assert.deepEqual([user?.name, user?.email_verified, user?.operator], ['New Comer', true, false]);
  assert.deepEqual(await client.ok('GET', '/me/organizations'), [], 'the link makes them a member');
  const me = await client.ok<{ has_password: boolean }>('GET', '/me');
  assert.equal(me.has_password, false);
  assert.equal(
    (await client.send('DELETE', '/me', {})).status,
    204,
    'no password is demanded of who has none',
  );
});

test('an account that the inviter could have created belongs to the owner of the address, and the inviter is locked out', async () => {
  const email = 'boss@example.com';
  const token = await invite(email);
  const body = { token, name: 'Boss', password: 'a long enough password' };
  const inviter = app.visitor();
  await inviter.ok('POST', '/auth/invitations/accept', body);
  const client = app.visitor();
  assert.equal(await signInAs(somebody(email), client), '/app/');
  const me = await client.ok<{ has_password: boolean }>('GET', '/me');
  assert.equal(me.has_password, false);
  assert.equal((await client.ok<unknown[]>('GET', '/me/organizations')).length, 1, 'memberships stay');
  assert.equal(await isSignedIn(inviter), false);
});

test('an identity that is already linked removes nothing from an account with another address', async () => {
  const bob = await proven('bob');
  const person = somebody(bob.email);
  await signInAs(person, app.visitor());
  const squatted = await app.person('carol');
  await signInAs({ ...person, email: squatted.email }, app.visitor());
  assert.equal(await isSignedIn(squatted), true);
});

test('the first user’s address counts as proven', async () => {
  const client = app.visitor();
  assert.equal(await signInAs(somebody(app.alice.email), client), '/app/');
  assert.equal(await isSignedIn(client), true);
});

test('an expired invitation does not count', async () => {
  const email = 'late@example.com';
  await invite(email);
  await app.db
    .updateTable('invitations')
    .set({ expires_at: new Date(app.clock.ms() - 1) })
    .where('email', '=', email)
    .execute();
  assert.equal(await signInAs(somebody(email), app.visitor()), '/app/sign-in?error=signup_disabled');
});

test('the return address is a page of this installation only', async () => {
  const bob = await proven('bob');
  const body = { callbackURL: '/app/monitors?x=1', errorCallbackURL: '/app/sign-in?back=%2Fmonitors' };
  assert.equal(await signInAs(somebody(bob.email), app.visitor(), body), '/app/monitors?x=1');
  assert.equal(
    await signInAs(somebody(bob.email, { email_verified: false }), app.visitor(), body),
    '/app/sign-in?back=%2Fmonitors&error=email_not_verified',
  );
  for (const url of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'evil',
    '/application',
    '/app.evil.example',
    '/app/\r\nx: y',
    'javascript:alert(1)',
    7,
  ])
    for (const field of ['callbackURL', 'errorCallbackURL'])
      assertRefused(
        await app.visitor().send('POST', START, { [field]: url }),
        { status: 400, error: 'invalid_request', field },
        String(url),
      );
});

test('a changed, foreign or used state is refused', async () => {
  const bob = await proven('bob');
  provider.person = somebody(bob.email);
  const mine = app.visitor();
  const back = await provider.visit(await begin(mine));
  const ending = async (client: Client, change: (url: URL) => void = () => {}) => {
    const url = new URL(back);
    change(url);
    const { status, headers } = await client.send('GET', pathOf(url));
    return [status, headers.get('location')];
  };
  const refused = [302, '/app/sign-in?error=state_mismatch'];
  assert.deepEqual(await ending(app.visitor()), refused, 'another browser');
  assert.deepEqual(await ending(mine, (url) => url.searchParams.set('state', 'x'.repeat(32))), refused);
  assert.deepEqual(await ending(mine, (url) => url.searchParams.delete('state')), [
    302,
    '/app/sign-in?error=state_not_found',
  ]);
  assert.equal(await isSignedIn(mine), false);
  assert.deepEqual(await ending(mine), [302, '/app/']);
  assert.deepEqual(await ending(mine), refused, 'once');
});

test('a code of another person’s sign-in, a made-up one or another issuer is refused', async () => {
  const [bob, carol] = [await proven('bob'), await proven('carol')];
  provider.person = somebody(carol.email);
  const stolen = await provider.visit(await begin(app.visitor()));
  const changes: ((url: URL) => void)[] = [
    (url) => url.searchParams.set('code', stolen.searchParams.get('code') ?? ''),
    (url) => url.searchParams.set('code', 'made-up'),
    (url) => url.searchParams.delete('code'),
    (url) => url.searchParams.set('iss', 'https://evil.example'),
    (url) => url.searchParams.delete('iss'),
  ];
  for (const change of changes) {
    provider.person = somebody(bob.email);
    const client = app.visitor();
    const back = await provider.visit(await begin(client));
    change(back);
    const { status, headers } = await client.send('GET', pathOf(back));
    assert.deepEqual([status, headers.get('location')], [302, '/app/sign-in?error=provider_error']);
    assert.equal(await isSignedIn(client), false);
  }
});

test('a sign-in cancelled at the provider returns to the sign-in page', async () => {
  assert.equal(await signInAs(null, app.visitor()), '/app/sign-in?error=access_denied');
});

test('the callback answers any input with the sign-in page', async () => {
  for (const query of [
    '',
    '?state=x',
    '?error=<script>',
    '?code=x&state=%00',
    '?state[]=1',
    `?code=${'x'.repeat(5000)}`,
  ]) {
    const answer = await app.visitor().send('GET', `/auth/oauth2/callback/oidc${query}`);
    if (answer.status === 302)
      assert.match(answer.headers.get('location') ?? '', /^\/app\/sign-in\?error=\w+$/);
    else {
      assert.equal(answer.status, 400, query);
      assertErrorBody(answer.body);
    }
  }
});

test('with open sign-up, an unproven account belongs to its address’s owner from the first proof on', async () => {
  await using open = await startTestApp({ env: { ...envFor(provider.issuer), SIGNUP: 'open' } });
  const squatter: Person = await open.person('squatter');
  provider.person = somebody(squatter.email);
  const client = open.visitor();
  const { url } = await client.ok<{ url: string }>('POST', START, {});
  const { headers } = await client.send('GET', pathOf(await provider.visit(url)));
  assert.equal(headers.get('location'), '/app/');
  assert.equal((await client.ok<{ email: string }>('GET', '/me')).email, squatter.email);
  assert.equal(await isSignedIn(squatter), false);
  provider.person = somebody('anybody@example.com');
  const newcomer = await client.ok<{ url: string }>('POST', START, {});
  assert.equal((await client.send('GET', pathOf(await provider.visit(newcomer.url)))).status, 302);
  assert.equal((await client.ok<{ email: string }>('GET', '/me')).email, 'anybody@example.com');
});

test('a provider that is down delays only its own button', async () => {
  const issuer = `http://127.0.0.1:${await closedPort()}`;
  await using alone = await startTestApp({ env: envFor(issuer) });
  const refused = await alone.visitor().send('POST', START, {});
  assertRefused(refused, { status: 503, error: 'unavailable' });
  assert.ok(refused.headers.get('retry-after'));
});

test('without a provider the routes do not exist', async () => {
  await using plain = await startTestApp();
  assert.equal((await plain.visitor().send('POST', START, {})).status, 404);
  assert.equal((await plain.visitor().send('GET', '/auth/oauth2/callback/oidc')).status, 404);
});
