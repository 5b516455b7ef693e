// People: set-up, sign-up, sign-in, organizations and projects (docs/rules/access.md#first-start,
// docs/rules/access.md#sign-up).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { lockInstallation } from '#src/accounts/first-start.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { PASSWORD, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { makeClient } from '#test/harness/client.ts';
import { assertErrorBody, assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

const INVALID = { status: 400, error: 'invalid_request' };
type Session = { user: { email: string; operator?: boolean } } | null;
type Organization = { id: string; name: string; slug: string };
type Project = { id: string; name: string; slug: string; organization_id: string };

test('signing in sets a session in an HttpOnly, SameSite=Lax cookie, and signing out ends it for good', async () => {
  const bob = await app.person('bob');
  const fresh = makeClient(app.url);
  const answer = await fresh.send('POST', '/auth/sign-in/email', { email: bob.email, password: PASSWORD });
  assert.equal(answer.status, 200);
  const cookie = answer.headers.getSetCookie().find((line) => line.includes('session_token')) ?? '';
  assert.match(cookie, /HttpOnly/i);
  assert.match(cookie, /SameSite=Lax/i);
  assert.doesNotMatch(cookie, /Secure/i, 'served over http');
  const session = await fresh.ok<Session>('GET', '/auth/get-session');
  assert.equal(session?.user.email, bob.email);
  assert.doesNotMatch(JSON.stringify(session), /password/i);
  const stolen = fresh.cookie();
  await fresh.ok('POST', '/auth/sign-out', {});
  const thief = await app.visitor().send('GET', '/me/organizations', undefined, { cookie: stolen });
  assertRefused(thief, { status: 401, error: 'unauthenticated' });
});

test('under https the cookie is Secure and bound to this host', async () => {
  await using https = await startTestApp({ env: { BASE_URL: 'https://tocsin.example.com' } });
  const answer = await https
    .visitor()
    .send('POST', '/auth/sign-in/email', { email: 'alice@example.com', password: PASSWORD });
  const [cookie = ''] = answer.headers.getSetCookie();
  // What a browser demands of the prefix: Secure, for every path, and no Domain.
  assert.match(cookie, /^__Host-tocsin\.session_token=/);
  assert.match(cookie, /; Path=\/;.*; Secure/);
  assert.doesNotMatch(cookie, /Domain/i);
  assert.match(answer.headers.get('strict-transport-security') ?? '', /max-age/);
});

test('a wrong password and an unknown address cannot be distinguished', async () => {
  const bob = await app.person('bob');
  const wrong = await app
    .visitor()
    .send('POST', '/auth/sign-in/email', { email: bob.email, password: 'not the password' });
  const unknown = await app
    .visitor()
    .send('POST', '/auth/sign-in/email', { email: 'nobody@example.com', password: 'not the password' });
  assert.equal(wrong.status, 401);
  assertErrorBody(wrong.body);
  assert.deepEqual([unknown.status, unknown.body], [wrong.status, wrong.body]);
});

test('a malformed sign-in is refused in the common error shape', async () => {
  for (const body of [
    {},
    { email: 7, password: [] },
    { email: 'x', password: 'y' },
    'null',
    '[]',
    '{',
    { email: 'a@b.co', password: null },
  ]) {
    const answer = await app.visitor().send('POST', '/auth/sign-in/email', body);
    assert.ok(answer.status >= 400 && answer.status < 500, `${JSON.stringify(body)} ${answer.status}`);
    assertErrorBody(answer.body);
  }
});

test('sign-up is refused unless it is open', async () => {
  const answer = await app
    .visitor()
    .send('POST', '/auth/sign-up/email', { email: 'new@example.com', password: PASSWORD, name: 'New' });
  assert.ok([400, 403].includes(answer.status));
  assertErrorBody(answer.body);
  const known = await app.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'new@example.com')
    .execute();
  assert.deepEqual(known, []);
});

test('with open sign-up the first user is the operator, even of two at once, and nobody can make themselves one', async () => {
  await using open = await startTestApp({ admin: false, env: { SIGNUP: 'open' } });
  const people = ['one', 'two', 'three'].map((name) => ({
    email: `${name}@example.com`,
    password: PASSWORD,
    name,
  }));
  const answers = await Promise.all(
    people.map((person) => open.visitor().send('POST', '/auth/sign-up/email', { ...person, operator: true })),
  );
  // Who comes while another one is becoming the first user is asked to try again.
  for (const { status, headers } of answers)
    assert.ok(status === 200 || (status === 503 && headers.get('retry-after') !== null), String(status));
  const plain = { email: 'four@example.com', password: PASSWORD, name: 'four' };
  assert.equal((await open.visitor().send('POST', '/auth/sign-up/email', plain)).status, 200);
  const again = await open.visitor().send('POST', '/auth/sign-up/email', plain);
  assert.ok(again.status >= 400 && again.status < 500);
  const operators = await open.db.selectFrom('users').select('email').where('operator', '=', true).execute();
  assert.equal(operators.length, 1);
  const four = await open.db
    .selectFrom('users')
    .select('operator')
    .where('email', '=', 'four@example.com')
    .executeTakeFirst();
  assert.equal(four?.operator, false);
});

test('the first user is the operator even if somebody signs up before that is written', async () => {
  await using open = await startTestApp({ admin: false, env: { SIGNUP: 'open' } });
  // The second person, as soon as the first account is there.
  await sql`CREATE FUNCTION second_person() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO users (id, name, email) VALUES ('second', 'Second', 'second@example.com'); RETURN NULL; END $$`.execute(
    open.db,
  );
  await sql`CREATE TRIGGER second_person AFTER INSERT ON users FOR EACH ROW WHEN (NEW.id <> 'second')
    EXECUTE FUNCTION second_person()`.execute(open.db);
  const first = { email: 'First@example.com', password: PASSWORD, name: 'First' };
  assert.equal((await open.visitor().send('POST', '/auth/sign-up/email', first)).status, 200);
  const operators = await open.db.selectFrom('users').select('email').where('operator', '=', true).execute();
  assert.deepEqual(operators, [{ email: 'first@example.com' }]);
});

test('an address that mail servers may refuse is refused everywhere', async () => {
  await using open = await startTestApp({ env: { SIGNUP: 'open' } });
  const email = `${'a'.repeat(65)}@example.com`;
  const given = { email, password: PASSWORD, name: 'Long' };
  const { name: _, ...signIn } = given;
  const answers = [
    await open.visitor().send('POST', '/auth/sign-up/email', given),
    await open.visitor().send('POST', '/auth/sign-in/email', signIn),
    await open.alice.send('POST', `/organizations/${open.home.orgId}/invitations`, { email, role: 'member' }),
  ];
  for (const answer of answers)
    assertRefused(answer, { status: 400, error: 'invalid_request', field: 'email' });
  const longest = { ...given, email: email.slice(1) };
  assert.equal((await open.visitor().send('POST', '/auth/sign-up/email', longest)).status, 200);
});

test('the set-up link creates the first user, once; a wrong or used one is 403', async () => {
  await using fresh = await startTestApp({ admin: false });
  const link = new URL(fresh.app.setupLink ?? '');
  const token = link.searchParams.get('token') ?? '';
  const body = {
    token,
    email: 'First@Example.com',
    password: PASSWORD,
    name: 'First',
    organization: 'Acme & Co',
  };
  const visitor = fresh.visitor();
  assert.deepEqual(await visitor.ok('GET', '/auth/installation'), {
    setup_needed: true,
    signup: 'invite',
    mail: false,
    oidc: null,
  });
  const wrong = { status: 403, error: 'forbidden', field: 'token' };
  for (const bad of ['', 'x', `${token}x`, token.slice(1)])
    assertRefused(await visitor.send('POST', '/auth/setup', { ...body, token: bad }), wrong);
  assertRefused(await visitor.send('POST', '/auth/setup', { ...body, password: 'short' }), {
    ...INVALID,
    field: 'password',
  });
  assertRefused(await visitor.send('POST', '/auth/setup', { ...body, email: 'no address' }), {
    ...INVALID,
    field: 'email',
  });
  assertRefused(await visitor.send('POST', '/auth/setup', { ...body, organization: '  ' }), {
    status: 400,
    error: 'empty_name',
    field: 'name',
  });

  const done = await visitor.send<{ organization_id: string; project_id: string }>(
    'POST',
    '/auth/setup',
    body,
  );
  assert.equal(done.status, 200, JSON.stringify(done.body));
  assert.deepEqual(await visitor.ok('GET', '/me/organizations'), [
    { id: done.body.organization_id, name: 'Acme & Co', slug: 'acme-and-co', language: 'en', role: 'owner' },
  ]);
  const session = await visitor.ok<Session>('GET', '/auth/get-session');
  assert.deepEqual([session?.user.email, session?.user.operator], ['first@example.com', true]);
  assertRefused(
    await fresh.visitor().send('POST', '/auth/setup', { ...body, email: 'second@example.com' }),
    wrong,
  );
  assert.deepEqual(await fresh.visitor().ok('GET', '/auth/installation'), {
    setup_needed: false,
    signup: 'invite',
    mail: false,
    oidc: null,
  });
});

test('of two people who follow the set-up link at once, one becomes the first user', async () => {
  await using fresh = await startTestApp({ admin: false });
  const token = new URL(fresh.app.setupLink ?? '').searchParams.get('token') ?? '';
  const setUp = (name: string) =>
    fresh.visitor().send('POST', '/auth/setup', {
      token,
      email: `${name}@example.com`,
      password: PASSWORD,
      name,
      organization: name,
    });
  const answers = await Promise.all(['one', 'two', 'three'].map(setUp));
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 403, 403]);
  assert.equal((await fresh.db.selectFrom('users').select('id').execute()).length, 1);
});

test('a sign-up during the use of the set-up link must be retried', async () => {
  await using fresh = await startTestApp({ admin: false, env: { SIGNUP: 'open' } });
  const account = { email: 'bob@example.com', password: PASSWORD, name: 'Bob' };
  await runWork(fresh.db, fresh.clock.now(), SYSTEM, async (work) => {
    await lockInstallation(work.tx);
    const held = await fresh.visitor().send('POST', '/auth/sign-up/email', account);
    assertRefused(held, { status: 503, error: 'unavailable' });
  });
  await fresh.visitor().ok('POST', '/auth/sign-up/email', account);
});

test('an installation with an admin prints no set-up link', () => {
  assert.equal(app.app.setupLink, null);
});

test('an organization gets a slug from its name, and its creator owns it', async () => {
  const carol = await app.person('carol');
  const answer = await carol.send<Organization>('POST', '/organizations', { name: ' Müller & Söhne GmbH ' });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, {
    id: answer.body.id,
    name: 'Müller & Söhne GmbH',
    slug: 'mueller-and-soehne-gmbh',
    language: 'en',
  });
  assert.deepEqual(await carol.ok('GET', '/me/organizations'), [{ ...answer.body, role: 'owner' }]);
  const conflict = { status: 409, error: 'slug_taken', field: 'name' };
  assertRefused(await carol.send('POST', '/organizations', { name: 'Mueller and Soehne GmbH' }), conflict);
  for (const [name, error] of [
    ['', 'empty_name'],
    ['  ', 'empty_name'],
    ['!!!', 'empty_slug'],
    ['🔔', 'empty_slug'],
  ] as const)
    assertRefused(
      await carol.send('POST', '/organizations', { name }),
      { status: 400, error, field: 'name' },
      name,
    );
  assertRefused(await carol.send('POST', '/organizations', {}), { ...INVALID, field: 'name' });
  assertRefused(await carol.send('POST', '/organizations', { name: 'x', slug: 'y' }), {
    ...INVALID,
    field: 'slug',
  });
});

test('a user owns a limited number of organizations, even with several requests at once', async () => {
  await using small = await startTestApp({ env: { ORGANIZATIONS_PER_USER: '3' } });
  const carol = await small.person('carol');
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, i) => carol.send('POST', '/organizations', { name: `Number ${i}` })),
  );
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 200, 200, 409, 409, 409]);
  assertRefused(await carol.send('POST', '/organizations', { name: 'More' }), {
    status: 409,
    error: 'organization_limit',
    limit: 3,
  });
});

test('a long name makes a slug of at most 63 characters', async () => {
  const { slug } = await app.alice.ok<Organization>('POST', '/organizations', {
    name: `long ${'name '.repeat(39)}`,
  });
  assert.ok(slug.length <= 63);
  assert.match(slug, /^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test('projects are created, renamed without a new slug, listed and deleted', async () => {
  const { orgId, projectId } = await app.place();
  const path = `/organizations/${orgId}/projects`;
  const answer = await app.alice.send<Project>('POST', path, { name: ' Web Shop ' });
  assert.equal(answer.status, 201);
  const project = answer.body;
  assert.deepEqual(project, { id: project.id, name: 'Web Shop', slug: 'web-shop', organization_id: orgId });
  assert.deepEqual(
    (await app.alice.ok<Project[]>('GET', path)).map(({ id }) => id),
    [projectId, project.id],
  );
  const renamed = await app.alice.ok<Project>('PATCH', `/projects/${project.id}`, {
    ...project,
    name: 'Kiosk',
  });
  assert.deepEqual(renamed, { ...project, name: 'Kiosk' });
  assert.equal((await app.alice.send('DELETE', `/projects/${project.id}`)).status, 204);
  assertRefused(await app.alice.send('DELETE', `/projects/${project.id}`), {
    status: 404,
    error: 'not_found',
  });
  const actions = await app.db
    .selectFrom('activity')
    .select('action')
    .where('resource_id', '=', project.id)
    .orderBy('id')
    .execute();
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['project.create', 'project.rename', 'project.delete'],
  );
});

test('invalid requests for projects are refused', async () => {
  const { orgId, projectId } = await app.place();
  const path = `/organizations/${orgId}/projects`;
  assertRefused(await app.alice.send('POST', path, { name: 'SHOP' }), {
    status: 409,
    error: 'slug_taken',
    field: 'name',
  });
  assertRefused(await app.alice.send('POST', path, { name: '???' }), {
    status: 400,
    error: 'empty_slug',
    field: 'name',
  });
  const one = `/projects/${projectId}`;
  assertRefused(await app.alice.send('PATCH', one, { name: ' ' }), {
    status: 400,
    error: 'empty_name',
    field: 'name',
  });
  assertRefused(await app.alice.send('PATCH', one, { name: 'X', slug: 'x' }), { ...INVALID, field: 'slug' });
  assertRefused(await app.alice.send('PATCH', one, { name: 'X', organization_id: app.home.orgId }), {
    ...INVALID,
    field: 'organization_id',
  });
  const body = { name: 'One', type: 'http', config: { url: 'https://shop.example.com/' } };
  const { id } = await app.alice.ok<{ id: string }>('POST', `${one}/monitors`, body);
  const refused = await app.alice.send<{ error: string }>('DELETE', one);
  assertRefused(refused, { status: 409, error: 'project_not_empty' });
  await app.alice.ok('DELETE', `/monitors/${id}`);
  assert.equal((await app.alice.send('DELETE', one)).status, 204);
});

test('a project whose monitors had incidents can be deleted once the monitors are gone', async () => {
  const { orgId, projectId } = await app.place();
  const body = { name: 'One', type: 'http', config: { url: 'https://shop.example.com/' } };
  const { id } = await app.alice.ok<{ id: string }>('POST', `/projects/${projectId}/monitors`, body);
  for (let i = 0; i < 2; i++) {
    app.clock.advance(1000);
    await app.probe().says(id, 'down');
  }
  assert.equal((await app.alice.ok<unknown[]>('GET', `/organizations/${orgId}/incidents`)).length, 1);
  await app.alice.ok('DELETE', `/monitors/${id}`);
  assert.equal((await app.alice.send('DELETE', `/projects/${projectId}`)).status, 204);
});

test('the server answers outside the API too', async () => {
  const visitor = app.visitor();
  assert.deepEqual(await visitor.ok('GET', '/healthz'), { ok: true, version: '0.0.0' });
  assert.deepEqual(await visitor.ok('GET', '/readyz'), {
    ok: true,
    roles: ['api', 'ingest', 'jobs', 'pages'],
    database: true,
    migrations: true,
    jobs: true,
    reason: null,
    results: true,
    results_paused_since_unix: null,
    replica: null,
  });
  assert.match(await visitor.ok<string>('GET', '/metrics'), /^tocsin_open_incidents \d+$/m);
  const document = await visitor.ok<{ openapi: string; info: { version: string }; paths: object }>(
    'GET',
    '/openapi.json',
  );
  assert.deepEqual([document.openapi, document.info.version], ['3.1.0', '1.0.0-beta.1']);
  assert.match(await visitor.ok<string>('GET', '/docs'), /<html/);
});

test('without a token the metrics are for this machine, and not for clients behind a proxy on it', async () => {
  for (const name of ['x-forwarded-for', 'forwarded'])
    assertRefused(await app.visitor().send('GET', '/metrics', undefined, { [name]: '192.0.2.1' }), {
      status: 401,
      error: 'unauthenticated',
    });
  assert.equal((await app.visitor().send('GET', '/metrics')).status, 200);
});

test('metrics need the token if there is one', async () => {
  await using guarded = await startTestApp({
    env: { METRICS_TOKEN: 'a token for the metrics, long enough' },
  });
  assertRefused(await guarded.alice.send('GET', '/metrics'), { status: 401, error: 'unauthenticated' });
  const headers = { authorization: 'Bearer a token for the metrics, long enough' };
  assert.equal((await guarded.visitor().send('GET', '/metrics', undefined, headers)).status, 200);
});
