// Overrides (docs/rules/on-call-and-alarms.md#overrides): somebody takes a shift, whoever's turn it is.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { Duty, Shift } from '#src/on-call/contract.ts';
import { MAX_OVERRIDES } from '#src/on-call/overrides.ts';
import type { Override } from '#src/on-call/overrides-contract.ts';
import { newId } from '#src/platform/ids.ts';
import { type AlarmScene, makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { type Person, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Answer } from '#test/harness/client.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { grantKey, join } from '#test/harness/scene.ts';
import { until } from '#test/harness/until.ts';
import { waitingStatements } from '#test/harness/waiting.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile({ env: { PAGERDUTY_URL: 'http://127.0.0.1:9' } });
});

const HOUR = 3600;
const now = () => Math.floor(app.clock.ms() / 1000);
const times = (from: number, until: number) => ({
  starts_at_unix: now() + from * HOUR,
  ends_at_unix: now() + until * HOUR,
});
const take = (scene: AlarmScene, who: Person, from: number, until: number, by = who) =>
  by.send<Override>('POST', scene.url('on-call/overrides'), { user_id: who.userId, ...times(from, until) });
const duty = async (scene: AlarmScene) => {
  const { name, source, until_unix } = await app.alice.ok<Duty>('GET', scene.url('on-call/duty'));
  return [name, source, until_unix];
};
const listed = (scene: AlarmScene) => app.alice.ok<Override[]>('GET', scene.url('on-call/overrides'));

test('a person who takes a shift is on call for its time, and the alarm reaches them', async () => {
  const scene = await makeAlarmScene(app);
  const until = now() + 8 * HOUR;
  const made = await take(scene, scene.carl, 0, 8);
  assert.equal(made.status, 201);
  assert.match(made.body.id, /^ovr_/);
  assert.deepEqual(await duty(scene), ['carl', 'override', until]);
  const shifts = await app.alice.ok<Shift[]>('GET', scene.url('on-call/shifts'));
  assert.deepEqual(
    shifts.slice(0, 3).map(({ name, source }) => [name, source]),
    [
      ['carl', 'override'],
      ['anna', 'rotation'],
      ['ben', 'rotation'],
    ],
  );
  const { incident } = await scene.outage();
  assert.deepEqual(await scene.ringsFor(incident.id), ['carl']);
  app.clock.advance(8 * HOUR * 1000);
  assert.equal((await duty(scene))[0], 'anna');
  assert.deepEqual(await listed(scene), []);
});

test('who is on duty again after an override has been since its end, not since Monday', async () => {
  const scene = await makeAlarmScene(app);
  const ends = now() + 2 * HOUR;
  await take(scene, scene.carl, 1, 2);
  app.clock.advance(3 * HOUR * 1000);
  const [shift] = await app.alice.ok<Shift[]>('GET', scene.url('on-call/shifts'));
  assert.deepEqual([shift?.name, shift?.from_unix], ['anna', ends]);
});

test('of overlapping overrides the latest counts', async () => {
  const scene = await makeAlarmScene(app);
  await take(scene, scene.carl, 0, 8);
  await take(scene, scene.ben, 0, 2);
  assert.deepEqual(await duty(scene), ['ben', 'override', now() + 2 * HOUR]);
  app.clock.advance(2 * HOUR * 1000);
  assert.deepEqual(await duty(scene), ['carl', 'override', now() + 6 * HOUR]);
});

test('members take shifts for themselves and give them back; only admins and keys do so for others', async () => {
  const scene = await makeAlarmScene(app);
  const forbidden = { status: 403, error: 'forbidden' };
  assertRefused(await take(scene, scene.ben, 0, 1, scene.carl), forbidden);
  const own = await take(scene, scene.carl, 1, 2);
  const bens = await take(scene, scene.ben, 2, 3, app.alice);
  assert.deepEqual([own.status, bens.status], [201, 201]);
  const remove = (who: Person, id: string) => who.send('DELETE', scene.url(`on-call/overrides/${id}`));
  assertRefused(await remove(scene.carl, bens.body.id), forbidden);
  assert.equal((await remove(scene.carl, own.body.id)).status, 204);
  assertRefused(await remove(scene.carl, own.body.id), { status: 404, error: 'not_found' });
  assert.equal((await remove(app.alice, bens.body.id)).status, 204);
  const { key } = await grantKey(app, scene.orgId, { scopes: ['on-call:write'] });
  const body = { user_id: scene.ben.userId, ...times(0, 1) };
  const byKey = await app
    .visitor()
    .send('POST', scene.url('on-call/overrides'), body, { authorization: `Bearer ${key}` });
  assert.equal(byKey.status, 201);
});

test('past or reversed times, strangers, and the 101st are refused', async () => {
  const scene = await makeAlarmScene(app);
  const ends = { status: 400, error: 'invalid_request', field: 'ends_at_unix' };
  for (const [from, until] of [
    [2, 2],
    [3, 2],
    [-3, -1],
    [0, 367 * 24],
  ] as const)
    assertRefused(await take(scene, app.alice, from, until), ends);
  const stranger = await app.person('stranger');
  assertRefused(await take(scene, stranger, 0, 1, app.alice), {
    status: 400,
    error: 'invalid_request',
    field: 'user_id',
  });
  await app.db
    .insertInto('on_call_overrides')
    .values(
      Array.from({ length: MAX_OVERRIDES }, () => ({
        id: newId('ovr'),
        org_id: scene.orgId,
        user_id: app.alice.userId,
        starts_at: app.clock.now(),
        ends_at: new Date(app.clock.ms() + 1000),
        created_at: app.clock.now(),
      })),
    )
    .execute();
  assertRefused(await take(scene, app.alice, 0, 1), {
    status: 409,
    error: 'limit_reached',
    limit: MAX_OVERRIDES,
  });
  app.clock.advance(1000);
  assert.equal((await take(scene, app.alice, 0, 1)).status, 201);
});

test('the plan decides about new ones; an override of a person who leaves is void', async () => {
  const scene = await makeAlarmScene(app);
  await take(scene, scene.carl, 0, 8);
  await app.alice.ok('DELETE', scene.url(`members/${scene.carl.userId}`));
  assert.equal((await duty(scene))[0], 'anna');
  await app.db.updateTable('organizations').set({ plan: 'free' }).where('id', '=', scene.orgId).execute();
  assertRefused(await take(scene, app.alice, 0, 1), {
    status: 402,
    error: 'plan_capability',
    field: 'on_call',
  });
});

test('the override of a person who leaves does not come back with them', async () => {
  const scene = await makeAlarmScene(app);
  await take(scene, scene.carl, 0, 8);
  await take(scene, scene.ben, 9, 10);
  await app.alice.ok('DELETE', scene.url(`members/${scene.carl.userId}`));
  await app.db
    .insertInto('members')
    .values({ org_id: scene.orgId, user_id: scene.carl.userId, role: 'member', joined_at: app.clock.now() })
    .execute();
  assert.equal((await duty(scene))[0], 'anna');
  assert.deepEqual(
    (await listed(scene)).map(({ name }) => name),
    ['ben'],
  );
});

test('creating and deleting are in the activity log', async () => {
  const scene = await makeAlarmScene(app);
  const { body } = await take(scene, scene.carl, 0, 8);
  await scene.carl.ok('DELETE', scene.url(`on-call/overrides/${body.id}`));
  const entries = await app.alice.ok<ActivityEntry[]>('GET', scene.url('activity'));
  const own = entries.filter(({ resource }) => resource.id === body.id);
  assert.deepEqual(
    own.map(({ action, actor, resource }) => [action, actor.name, resource.name]),
    [
      ['on_call.delete_override', 'carl', 'carl'],
      ['on_call.create_override', 'carl', 'carl'],
    ],
  );
});

test('a shift that somebody takes while they are removed is not theirs when they come back', async () => {
  const scene = await makeAlarmScene(app);
  const { orgId, carl } = scene;
  const racing: Promise<Answer>[] = [];
  await app.db.transaction().execute(async (holder) => {
    await sql`SELECT FROM organizations WHERE id = ${orgId} FOR NO KEY UPDATE`.execute(holder);
    for (const begin of [
      () => take(scene, carl, 0, 8),
      () => app.alice.send('DELETE', scene.url(`members/${carl.userId}`)),
    ]) {
      const before = await waitingStatements(app.db);
      racing.push(begin());
      await until(async () => (await waitingStatements(app.db)) > before, 'it waits');
    }
  });
  const [made, removed] = await Promise.all(racing);
  assert.deepEqual([made?.status, removed?.status], [201, 204]);
  await join(app, orgId, carl.userId, 'member');
  assert.deepEqual(await listed(scene), []);
});
