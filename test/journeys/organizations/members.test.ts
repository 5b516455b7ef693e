// Members: who is there, who may change whom, and what is left of somebody who has gone (docs/rules/access.md#members).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { ApiKey } from '#src/api-keys/contract.ts';
import type { Invitation, Member } from '#src/members/contract.ts';
import { type Person, type Place, type Role, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Answer } from '#test/harness/client.ts';
import { checksUntilEnd, MAX_STREAM_CHECKS } from '#test/harness/event-stream.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { until } from '#test/harness/until.ts';
import { waitingStatements } from '#test/harness/waiting.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile({ env: { RATE_LIMITS: 'off' } });
});

const ROLES: Role[] = ['owner', 'admin', 'manager', 'member', 'viewer'];
const FORBIDDEN = { status: 403, error: 'forbidden' };
const NOT_FOUND = { status: 404, error: 'not_found' };
const LAST_OWNER = { status: 409, error: 'last_owner' };

const membersOf = ({ orgId }: Place) => `/organizations/${orgId}/members`;
const member = (place: Place, { userId }: { userId: string }) => `${membersOf(place)}/${userId}`;
const list = (place: Place, by: Person = app.alice) => by.ok<Member[]>('GET', membersOf(place));
const rolesOf = async (place: Place) =>
  Object.fromEntries((await list(place)).map(({ user_id, role }) => [user_id, role]));

async function actions(place: Place): Promise<string[]> {
  const rows = await app.alice.ok<ActivityEntry[]>('GET', `/organizations/${place.orgId}/activity`);
  return rows.map(({ action }) => action).filter((action) => /^(member|invitation)\./.test(action));
}

/** A place of alice's with somebody in each role. */
async function staffed() {
  const place = await app.place();
  const [owner, admin, manager, plain, viewer] = (await Promise.all(
    ROLES.map((role) => app.person(role, { [place.orgId]: role })),
  )) as [Person, Person, Person, Person, Person];
  return { place, owner, admin, manager, member: plain, viewer };
}

test('every member sees the list of members, in the order they joined, and nobody else does', async () => {
  const place = await app.place();
  app.clock.advance(1000);
  const zoe = await app.person('zoe', { [place.orgId]: 'member' });
  app.clock.advance(1000);
  const adam = await app.person('adam', { [place.orgId]: 'manager' });
  const expected = [
    { user_id: app.alice.userId, name: 'Admin', email: app.alice.email, role: 'owner' },
    { user_id: zoe.userId, name: 'zoe', email: zoe.email, role: 'member' },
    { user_id: adam.userId, name: 'adam', email: adam.email, role: 'manager' },
  ];
  const shown = await list(place, zoe);
  assert.deepEqual(
    shown.map(({ joined_at_unix, two_factor_enabled, ...rest }) => {
      assert.equal(two_factor_enabled, false);
      assert.ok(Number.isInteger(joined_at_unix));
      return rest;
    }),
    expected,
  );
  assert.equal(shown[2]?.joined_at_unix, Math.floor(app.clock.ms() / 1000));
  assertRefused(await (await app.person('eve')).send('GET', membersOf(place)), FORBIDDEN);
  assertRefused(await app.visitor().send('GET', membersOf(place)), { status: 401, error: 'unauthenticated' });
});

test('nobody can give or take a role above their own', async () => {
  const rank = (role: Role) => ROLES.indexOf(role);
  const staff = await staffed();
  for (const by of ROLES)
    for (const from of ROLES)
      for (const to of ROLES) {
        const target = await app.db
          .updateTable('members')
          .set({ role: from })
          .where('org_id', '=', staff.place.orgId)
          .where('user_id', '=', (by === 'member' ? staff.manager : staff.member).userId)
          .returning('user_id')
          .executeTakeFirstOrThrow();
        const path = member(staff.place, { userId: target.user_id });
        const answer = await staff[by].send<Member>('PATCH', path, { role: to });
        const what = `${by} makes ${from} ${to}`;
        const manages = by === 'owner' || by === 'admin';
        if (!manages || rank(from) < rank(by)) assertRefused(answer, FORBIDDEN, what);
        else if (rank(to) < rank(by)) assertRefused(answer, { ...FORBIDDEN, field: 'role' }, what);
        else assert.deepEqual([answer.status, answer.body.role], [200, to], what);
        await app.db
          .updateTable('members')
          .set({ role: by === 'member' ? 'manager' : 'member' })
          .where('org_id', '=', staff.place.orgId)
          .where('user_id', '=', target.user_id)
          .execute();
      }
});

test('a member can be sent back as read; another value of a read-only field is refused by name', async () => {
  const { place, admin, manager } = await staffed();
  const path = member(place, manager);
  const read = (await list(place)).find(({ user_id }) => user_id === manager.userId);
  const changed = await admin.ok<Member>('PATCH', path, { ...read, role: 'member' });
  assert.deepEqual(changed, { ...read, role: 'member' });
  for (const [field, value] of Object.entries({
    email: 'x@example.com',
    joined_at_unix: 1,
    user_id: 'usr_x',
  }))
    assertRefused(await admin.send('PATCH', path, { role: 'member', [field]: value }), {
      status: 400,
      error: 'invalid_request',
      field,
    });
  assertRefused(await admin.send('PATCH', path, { role: 'king' }), {
    status: 400,
    error: 'invalid_request',
    field: 'role',
  });
});

test('an unknown user, a malformed id and a person of another organization are 404, before the body', async () => {
  const { place, admin } = await staffed();
  const stranger = await app.person('stranger');
  for (const userId of [stranger.userId, 'usr_01h455vb4pex5vsknk084sn02q', 'nobody', 'usr_%00']) {
    const path = `${membersOf(place)}/${userId}`;
    assertRefused(await admin.send('PATCH', path, { role: 'member' }), NOT_FOUND, path);
    assertRefused(await admin.send('PATCH', path, { nonsense: 1 }), NOT_FOUND, path);
    assertRefused(await admin.send('DELETE', path), NOT_FOUND, path);
  }
});

test('an admin can neither demote, remove nor create an owner', async () => {
  const { place, admin, owner, manager } = await staffed();
  assertRefused(await admin.send('PATCH', member(place, owner), { role: 'member' }), FORBIDDEN);
  assertRefused(await admin.send('PATCH', member(place, owner), { nonsense: 1 }), FORBIDDEN);
  assertRefused(await admin.send('DELETE', member(place, owner)), FORBIDDEN);
  const crowned = await admin.send('PATCH', member(place, manager), { role: 'owner' });
  assertRefused(crowned, { ...FORBIDDEN, field: 'role' });
  assertRefused(await admin.send('PATCH', member(place, admin), { role: 'owner' }), {
    ...FORBIDDEN,
    field: 'role',
  });
});

test('the last owner can neither leave nor step down until there is another', async () => {
  const place = await app.place();
  const admin = await app.person('admin', { [place.orgId]: 'admin' });
  assertRefused(await app.alice.send('DELETE', member(place, app.alice)), LAST_OWNER);
  assertRefused(await app.alice.send('PATCH', member(place, app.alice), { role: 'admin' }), LAST_OWNER);
  await app.alice.ok('PATCH', member(place, app.alice), { role: 'owner' });
  await app.alice.ok('PATCH', member(place, admin), { role: 'owner' });
  await app.alice.ok('DELETE', member(place, app.alice));
  assert.deepEqual(
    (await list(place, admin)).map(({ user_id, role }) => [user_id, role]),
    [[admin.userId, 'owner']],
  );
});

for (const [what, path, body, expected] of [
  ['leave', 'own', undefined, [204, 409]],
  ['step down', 'own', { role: 'member' }, [200, 409]],
  // Who was removed is no member any more.
  ['remove each other', 'other', undefined, [204, 403]],
] as const)
  test(`of two owners who ${what} at once, one stays`, async () => {
    for (let round = 0; round < 4; round++) {
      const place = await app.place();
      const other = await app.person('other', { [place.orgId]: 'owner' });
      const both = [
        [app.alice, other],
        [other, app.alice],
      ] as const;
      const answers = await Promise.all(
        both.map(([one, another]) =>
          one.send(body ? 'PATCH' : 'DELETE', member(place, path === 'own' ? one : another), body),
        ),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), expected);
      const owners = await app.db
        .selectFrom('members')
        .select('user_id')
        .where('org_id', '=', place.orgId)
        .where('role', '=', 'owner')
        .execute();
      assert.equal(owners.length, 1);
    }
  });

test('anybody may leave; a manager or a member removes nobody else', async () => {
  const staff = await staffed();
  assertRefused(await staff.manager.send('DELETE', member(staff.place, staff.member)), FORBIDDEN);
  assertRefused(await staff.member.send('DELETE', member(staff.place, staff.manager)), FORBIDDEN);
  for (const role of ROLES) {
    const gone = await staff[role].send('DELETE', member(staff.place, staff[role]));
    assert.equal(gone.status, 204);
    assertRefused(await staff[role].send('GET', membersOf(staff.place)), FORBIDDEN);
    assertRefused(await staff[role].send('DELETE', member(staff.place, staff[role])), FORBIDDEN);
  }
  assert.deepEqual(Object.values(await rolesOf(staff.place)), ['owner']);
  const own = await staff.member.ok<unknown[]>('GET', '/me/organizations');
  assert.deepEqual(own, []);
});

test('keys stay when their creator leaves, unless an owner or admin revokes them', async () => {
  const place = await app.place();
  const keys = `/organizations/${place.orgId}/api-keys`;
  const elsewhere = await app.place();
  const ada = await app.person('ada', { [place.orgId]: 'admin', [elsewhere.orgId]: 'admin' });
  const named = async (at: string) =>
    (await app.alice.ok<ApiKey[]>('GET', at)).map(({ name }) => name).sort();
  const make = (by: Person, name: string, at = keys) =>
    by.ok('POST', at, { name, scopes: ['monitors:read'] });
  await make(app.alice, 'of the owner');
  await make(ada, 'of ada');
  await make(ada, 'of ada elsewhere', `/organizations/${elsewhere.orgId}/api-keys`);
  await app.alice.ok('PATCH', member(place, ada), { role: 'member' });
  // Who may revoke no key does not by leaving.
  assertRefused(await ada.send('DELETE', `${member(place, ada)}?revoke_keys=true`), FORBIDDEN);
  assertRefused(await app.alice.send('DELETE', `${member(place, ada)}?revoke_keys=perhaps`), {
    status: 400,
    error: 'invalid_request',
    field: 'revoke_keys',
  });
  assert.deepEqual(await named(keys), ['of ada', 'of the owner']);
  await app.alice.ok('DELETE', `${member(place, ada)}?revoke_keys=true`);
  assert.deepEqual(await named(keys), ['of the owner']);
  assert.deepEqual(await named(`/organizations/${elsewhere.orgId}/api-keys`), ['of ada elsewhere']);
  const ben = await app.person('ben', { [place.orgId]: 'admin' });
  await make(ben, 'of ben');
  await ben.ok('DELETE', member(place, ben));
  const shown = await app.alice.ok<ApiKey[]>('GET', keys);
  assert.deepEqual(
    shown.map(({ name, created_by_gone }) => [name, created_by_gone]),
    [
      ['of ben', true],
      ['of the owner', false],
    ],
  );
});

test('a removed member is locked out at once, and their live stream ends at the next check, one every 4 s', async () => {
  const { place, admin, member: plain } = await staffed();
  const url = `${app.url}/organizations/${place.orgId}/events`;
  const checks = await checksUntilEnd(
    url,
    { cookie: plain.cookie() },
    { cookie: admin.cookie() },
    async () => {
      assert.equal((await admin.send('DELETE', member(place, plain))).status, 204);
      assertRefused(await plain.send('GET', membersOf(place)), FORBIDDEN);
    },
  );
  assert.ok(checks <= MAX_STREAM_CHECKS, `${checks} checks`);
});

test('nobody returns through their own invitation, or grants a role they have lost', async () => {
  const { place, admin } = await staffed();
  const path = `/organizations/${place.orgId}/invitations`;
  const invite = (by: Person, email: string, role: Role) => by.ok('POST', path, { email, role });
  await invite(admin, 'one@example.com', 'admin');
  await invite(admin, 'two@example.com', 'member');
  await invite(app.alice, 'three@example.com', 'admin');
  const open = async () =>
    (await app.alice.ok<Invitation[]>('GET', path)).map(({ email }) => email.split('@')[0]);
  assert.deepEqual(await open(), ['one', 'two', 'three']);
  await app.alice.ok('PATCH', member(place, admin), { role: 'manager' });
  assert.deepEqual(await open(), ['three']);
  await app.alice.ok('PATCH', member(place, admin), { role: 'admin' });
  await invite(admin, 'four@example.com', 'member');
  await app.alice.ok('DELETE', member(place, admin));
  assert.deepEqual(await open(), ['three']);
  assert.equal((await actions(place)).filter((action) => action === 'invitation.revoke').length, 3);
});

test('every change is in the activity log, with the member before and after', async () => {
  const { place, admin, manager, member: plain } = await staffed();
  await admin.ok('PATCH', member(place, manager), { role: 'member' });
  await admin.ok('PATCH', member(place, manager), { role: 'member' });
  await admin.ok('DELETE', member(place, manager));
  await plain.ok('DELETE', member(place, plain));
  assertRefused(await admin.send('DELETE', member(place, app.alice)), FORBIDDEN);
  assert.deepEqual(await actions(place), ['member.leave', 'member.remove', 'member.update']);
  const [entry] = await app.alice.ok<ActivityEntry[]>(
    'GET',
    `/organizations/${place.orgId}/activity?action=member.update`,
  );
  assert.equal(entry?.actor.id, admin.userId);
  assert.deepEqual(entry?.resource, {
    kind: 'member',
    id: manager.userId,
    name: 'manager',
    monitor_name: null,
  });
  assert.deepEqual(
    [(entry?.before as Member | null)?.role, (entry?.after as Member | null)?.role],
    ['manager', 'member'],
  );
});

test('a viewer takes no shift, and an alarm does not reach a person who became one', async () => {
  const { place, owner, member: anna, viewer } = await staffed();
  const onCall = `/organizations/${place.orgId}/on-call`;
  const roster = (...people: { userId: string }[]) => ({
    members: people.map(({ userId: user_id }, position) => ({ user_id, position })),
  });
  await owner.ok('PUT', `${onCall}/settings`, { enabled: true, rotation_mode: 'weekly' });
  const set = await owner.ok<{ members: { user_id: string }[] }>(
    'PUT',
    `${onCall}/members`,
    roster(viewer, anna),
  );
  assert.deepEqual(
    set.members.map(({ user_id }) => user_id),
    [anna.userId],
  );
  const now = Math.floor(app.clock.ms() / 1000);
  const shift = { user_id: viewer.userId, starts_at_unix: now, ends_at_unix: now + 3600 };
  assertRefused(await owner.send('POST', `${onCall}/overrides`, shift), {
    status: 400,
    error: 'invalid_request',
    field: 'user_id',
  });
  assertRefused(await owner.send('PUT', `${onCall}/settings`, { manual_duty_user_id: viewer.userId }), {
    status: 400,
    error: 'invalid_request',
    field: 'manual_duty_user_id',
  });
  const duty = () => owner.ok<{ user_id: string | null }>('GET', `${onCall}/duty`);
  assert.equal((await duty()).user_id, anna.userId);
  await owner.ok('PATCH', member(place, anna), { role: 'viewer' });
  assert.equal((await duty()).user_id, null);
});

for (const [what, path, body] of [
  ['an API key', 'api-keys', { name: 'Late', scopes: ['monitors:read'] }],
  ['a link to the wall', 'wall-links', { name: 'Late' }],
] as const)
  test(`${what} that somebody makes while they are removed with their keys is revoked, too`, async () => {
    const place = await app.place();
    const ada = await app.person('ada', { [place.orgId]: 'admin' });
    const racing: Promise<Answer>[] = [];
    await app.db.transaction().execute(async (holder) => {
      await sql`SELECT FROM organizations WHERE id = ${place.orgId} FOR NO KEY UPDATE`.execute(holder);
      for (const begin of [
        () => ada.send('POST', `/organizations/${place.orgId}/${path}`, body),
        () => app.alice.send('DELETE', `${member(place, ada)}?revoke_keys=true`),
      ]) {
        const before = await waitingStatements(app.db);
        racing.push(begin());
        await until(async () => (await waitingStatements(app.db)) > before, 'it waits');
      }
    });
    const [made, removed] = await Promise.all(racing);
    assert.deepEqual([made?.status, removed?.status], [201, 204]);
    assert.deepEqual(await app.alice.ok('GET', `/organizations/${place.orgId}/${path}`), []);
  });
