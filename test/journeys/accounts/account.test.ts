// A person's own account: name, sessions, leaving for good (docs/rules/access.md#deleting-an-account,
// docs/rules/access.md#sessions).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { PASSWORD, type Person, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { makeClient, signIn } from '#test/harness/client.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { makeScene } from '#test/harness/scene.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

type Me = { name: string; email: string; passkeys: number };
type OwnSession = { id: string; token: string };
const HOUR_MS = 3600_000;
const NOBODY = { status: 401, error: 'unauthenticated' };

const again = async (person: Person) => {
  const client = makeClient(app.url);
  await client.ok('POST', '/auth/sign-in/email', { email: person.email, password: PASSWORD });
  return client;
};
const actionsOf = async (userId: string) => {
  const rows = await app.db
    .selectFrom('activity')
    .select('action')
    .where('resource_kind', '=', 'account')
    .where('resource_id', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map(({ action }) => action);
};

test('a name and a language that are changed at once are both kept', async () => {
  const bob = await app.person('bob');
  for (let i = 0; i < 5; i++) {
    const wanted = { name: `Bob ${i}`, language: i % 2 === 0 ? 'de' : 'en' };
    await Promise.all([
      bob.ok('PATCH', '/me', { name: wanted.name }),
      bob.ok('PATCH', '/me', { language: wanted.language }),
    ]);
    const { name, language } = await bob.ok<Me & { language: string }>('GET', '/me');
    assert.deepEqual({ name, language }, wanted);
  }
});

test('people see their own account and change their name', async () => {
  const bob = await app.person('bob');
  await signIn(bob, bob.email, PASSWORD);
  const me = {
    user_id: bob.userId,
    name: 'bob',
    email: bob.email,
    language: null,
    operator: false,
    has_password: true,
    two_factor_enabled: false,
    passkeys: 0,
    first_proof: null,
  };
  assert.deepEqual(await bob.ok('GET', '/me'), me);
  assert.deepEqual(await bob.ok('PATCH', '/me', { name: ' Bob B. ' }), { ...me, name: 'Bob B.' });
  assert.deepEqual(await bob.ok('GET', '/me'), { ...me, name: 'Bob B.' });
  assertRefused(await bob.send('PATCH', '/me', { name: '  ' }), {
    status: 400,
    error: 'empty_name',
    field: 'name',
  });
  for (const [body, field] of [
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 7 }, 'name'],
    [{}, 'name'],
    [{ name: 'x', operator: true }, 'operator'],
    [{ name: 'x', email: 'a@b.co' }, 'email'],
  ] as const)
    assertRefused(await bob.send('PATCH', '/me', body), { status: 400, error: 'invalid_request', field });
  assertRefused(await app.visitor().send('GET', '/me'), NOBODY);
  assert.deepEqual(await actionsOf(bob.userId), ['account.sign_in', 'account.rename']);
});

test('people see their sessions, end one or all others, and cannot touch anybody else’s', async () => {
  const bob = await app.person('bob');
  const carol = await app.person('carol');
  const [phone, tablet] = [await again(bob), await again(bob)];
  const sessions = await bob.ok<OwnSession[]>('GET', '/auth/list-sessions');
  assert.equal(sessions.length, 3);
  const [ofCarol] = await carol.ok<OwnSession[]>('GET', '/auth/list-sessions');
  for (const token of [ofCarol?.token, 'nothing'])
    assertRefused(await bob.send('POST', '/auth/revoke-session', { token }), {
      status: 404,
      error: 'not_found',
    });
  assert.equal((await carol.send('GET', '/me')).status, 200, 'somebody else’s goes on');

  const ofPhone = (await phone.ok<{ session: OwnSession }>('GET', '/auth/get-session')).session.token;
  await bob.ok('POST', '/auth/revoke-session', { token: ofPhone });
  assert.deepEqual(
    [(await phone.send('GET', '/me')).status, (await tablet.send('GET', '/me')).status],
    [401, 200],
  );
  await bob.ok('POST', '/auth/revoke-other-sessions', {});
  assert.deepEqual(
    [(await tablet.send('GET', '/me')).status, (await bob.send('GET', '/me')).status],
    [401, 200],
  );
  assert.equal((await actionsOf(bob.userId)).filter((a) => a === 'account.sessions_revoke').length, 2);
});

test('a session ends after 12 idle hours, and after 30 days even if it is used', async () => {
  const bob = await app.person('bob');
  const row = () =>
    app.db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', bob.userId)
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow();
  const left = async () => (await row()).expires_at.getTime() - Date.now();
  const move = (hoursOld: number, hoursLeft: number) =>
    app.db
      .updateTable('sessions')
      .set({
        created_at: new Date(Date.now() - hoursOld * HOUR_MS),
        expires_at: new Date(Date.now() + hoursLeft * HOUR_MS),
      })
      .where('user_id', '=', bob.userId)
      .execute();
  assert.ok(Math.abs((await left()) - 12 * HOUR_MS) < 60_000);
  await move(5, 7);
  assert.equal((await bob.send('GET', '/me')).status, 200);
  assert.ok((await left()) > 11.9 * HOUR_MS, 'used: 12 hours more');
  await move(30 * 24 - 2, 1);
  assert.equal((await bob.send('GET', '/me')).status, 200);
  assert.equal((await bob.send('GET', '/auth/get-session')).status, 200);
  const rest = await left();
  assert.ok(rest > 1.9 * HOUR_MS && rest < 2.1 * HOUR_MS, `until the thirtieth day: ${rest}`);
  await move(1, -0.001);
  assertRefused(await bob.send('GET', '/me'), NOBODY);
});

test('the browser keeps the cookie as long as a session can last', async () => {
  const bob = await app.person('bob');
  const answer = await makeClient(app.url).send('POST', '/auth/sign-in/email', {
    email: bob.email,
    password: PASSWORD,
  });
  assert.match(answer.headers.getSetCookie().join(), /session_token=[^;]+; Max-Age=2592000/);
});

test('every sign-in starts a new session and ends the browser’s previous one', async () => {
  const bob = await app.person('bob');
  const stolen = bob.cookie();
  await bob.ok('POST', '/auth/sign-in/email', { email: bob.email, password: PASSWORD });
  assert.notEqual(bob.cookie(), stolen);
  assertRefused(await app.visitor().send('GET', '/me', undefined, { cookie: stolen }), NOBODY);
  const carol = await app.person('carol');
  const former = bob.cookie();
  await bob.ok('POST', '/auth/sign-in/email', { email: carol.email, password: PASSWORD });
  assert.equal((await bob.ok<Me>('GET', '/me')).email, carol.email);
  assertRefused(await app.visitor().send('GET', '/me', undefined, { cookie: former }), NOBODY);
});

test('a failed sign-in keeps the current session', async () => {
  const bob = await app.person('bob');
  await bob.send('POST', '/auth/sign-in/email', { email: bob.email, password: 'not the password' });
  assert.equal((await bob.send('GET', '/me')).status, 200);
});

test('deleting an account removes its sessions and memberships; its records stay without the name', async () => {
  const bob = await app.person('bobby', { [app.home.orgId]: 'admin' });
  const other = await again(bob);
  const path = `/organizations/${app.home.orgId}`;
  await bob.ok('POST', `${path}/projects`, { name: 'Of Bobby' });
  await app.alice.ok('PATCH', `${path}/members/${bob.userId}`, { role: 'manager' });
  const wrong = { status: 403, error: 'forbidden', field: 'password', reason: 'invalid_password' };
  assertRefused(await bob.send('DELETE', '/me', { password: 'not the password' }), wrong);
  assertRefused(await bob.send('DELETE', '/me', {}), wrong);
  assertRefused(await bob.send('DELETE', '/me', { password: null }), wrong);
  assert.equal((await bob.send('GET', '/me')).status, 200);

  const gone = await bob.send('DELETE', '/me', { password: PASSWORD });
  assert.equal(gone.status, 204, JSON.stringify(gone.body));
  assert.match(gone.headers.getSetCookie().join(), /session_token=; Max-Age=0/);
  assert.equal((await other.send('GET', '/me')).status, 401);
  const credentials = { email: bob.email, password: PASSWORD };
  assert.equal((await app.visitor().send('POST', '/auth/sign-in/email', credentials)).status, 401);
  const members = await app.alice.ok<{ user_id: string }[]>('GET', `${path}/members`);
  assert.ok(!members.some(({ user_id }) => user_id === bob.userId));

  const log = await app.alice.ok<{ action: string; actor: { id: string; name: string } }[]>(
    'GET',
    `${path}/activity`,
  );
  const of = (action: string) =>
    log.find((entry) => entry.action === action && entry.actor.id === bob.userId);
  assert.equal(of('project.create')?.actor.name, 'Deleted user');
  assert.equal(of('member.leave')?.actor.name, 'Deleted user');
  const { rows } = await sql<{ text: string }>`SELECT a::text AS text FROM activity a`.execute(app.db);
  const all = rows.map(({ text }) => text).join('\n');
  const revealing = all.split('\n').filter((row) => /bobby/i.test(row.replaceAll(/of.bobby/gi, '')));
  assert.deepEqual(revealing, [], 'no name, no address');
});

test('the only owner of an organization cannot delete their account; of two owners at once, one can', async () => {
  const bob = await app.person('bob');
  const carol = await app.person('carol');
  const { id } = await bob.ok<{ id: string }>('POST', '/organizations', { name: 'Of Bob & Carol' });
  const refused = await bob.send('DELETE', '/me', { password: PASSWORD });
  assertRefused(refused, { status: 409, error: 'last_owner' });
  assert.match(JSON.stringify(refused.body), /Of Bob & Carol/);
  assert.equal((await bob.send('GET', '/me')).status, 200);
  await app.db
    .insertInto('members')
    .values({ org_id: id, user_id: carol.userId, role: 'owner', joined_at: app.clock.now() })
    .execute();
  const answers = await Promise.all(
    [bob, carol].map((person) => person.send('DELETE', '/me', { password: PASSWORD })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409]);
});

test('the only operator cannot delete their account', async () => {
  await using own = await startTestApp();
  const bob = await own.person('bob', { [own.home.orgId]: 'owner' });
  assertRefused(await own.alice.send('DELETE', '/me', { password: PASSWORD }), {
    status: 409,
    error: 'last_owner',
  });
  await own.db.updateTable('users').set({ operator: true }).where('id', '=', bob.userId).execute();
  assert.equal((await own.alice.send('DELETE', '/me', { password: PASSWORD })).status, 204);
});

test('an acknowledgement stays after its author’s account is deleted', async () => {
  const { orgId, projectId } = await app.place();
  const bob = await app.person('bob', { [orgId]: 'member' });
  const body = { name: 'One', type: 'http', config: { url: 'https://shop.example.com/' } };
  const { id } = await app.alice.ok<{ id: string }>('POST', `/projects/${projectId}/monitors`, body);
  for (let i = 0; i < 2; i++) {
    app.clock.advance(1000);
    await app.probe().says(id, 'down');
  }
  const [incident] = await app.alice.ok<{ id: string }[]>('GET', `/organizations/${orgId}/incidents`);
  const path = `/organizations/${orgId}/incidents/${incident?.id}`;
  await bob.ok('POST', `${path}/ack`);
  assert.equal((await bob.send('DELETE', '/me', { password: PASSWORD })).status, 204);
  const detail = await app.alice.ok<Record<string, unknown>>('GET', path);
  assert.equal(detail.lifecycle_state, 'acknowledged');
  assert.deepEqual([detail.acknowledged_by_email, detail.commander_email], [null, null]);
});

test('a common password is refused wherever people choose one, in any case', async () => {
  const bob = await app.person('bob');
  for (const newPassword of ['iloveyou', 'Password1', 'QWERTYUIOP'])
    assertRefused(
      await bob.send('POST', '/auth/change-password', { currentPassword: PASSWORD, newPassword }),
      {
        status: 400,
        error: 'invalid_request',
        field: 'newPassword',
        reason: 'common_password',
      },
    );
  await bob.ok('POST', '/auth/change-password', {
    currentPassword: PASSWORD,
    newPassword: 'iloveyou, tocsin',
  });
});

test('an account can be sent back as read, with another name', async () => {
  const bob = await app.person('bob');
  const me = await bob.ok<Me>('GET', '/me');
  assert.deepEqual(await bob.ok('PATCH', '/me', { ...me, name: 'Bob Archer' }), {
    ...me,
    name: 'Bob Archer',
  });
  const refusal = { status: 400, error: 'invalid_request', field: 'email' };
  assertRefused(await bob.send('PATCH', '/me', { ...me, email: 'other@example.com' }), refusal);
});

test('a HEAD asks for a session and changes nothing', async () => {
  const bob = await app.person('bob');
  assert.equal((await bob.send('HEAD', '/auth/get-session')).status, 200);
  assert.equal((await bob.send('GET', '/me')).status, 200);
});

test('an incident’s timeline keeps a deleted person’s actions, and not their name', async () => {
  const bob = await app.person('bob');
  const { ids } = await makeScene(app, app.alice, [{ person: bob, role: 'member' }]);
  const path = `/organizations/${ids.org_id}/incidents/${ids.incident_id}`;
  await bob.ok('POST', `${path}/ack`);
  const names = async () => {
    const timeline = await app.alice.ok<{ kind: string; actor_name: string }[]>('GET', `${path}/timeline`);
    return timeline.filter(({ kind }) => kind === 'acknowledged').map(({ actor_name }) => actor_name);
  };
  assert.deepEqual(await names(), ['bob']);
  await bob.ok('DELETE', '/me', { password: PASSWORD });
  assert.deepEqual(await names(), ['Deleted user']);
});
