// The organization's alarm standard over HTTP (docs/rules/confirmation.md#alarm-standard): a floor, and a level of every
// policy.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { AlertProfile } from '#src/alarm-policy/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { grantKey } from '#test/harness/scene.ts';
import { speakFor } from '#test/harness/spoken-monitors.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
  await app.region('north');
  await app.region('south');
});

/** An organization of its own, since a standard is about all of it. */
const somewhere = async () => speakFor(app, await app.place());
type Scene = Awaited<ReturnType<typeof somewhere>>;
const path = ({ orgId }: Scene) => `/organizations/${orgId}/alarm-standard`;
const set = (scene: Scene, standard: unknown) => app.alice.ok('PUT', path(scene), standard);
const unreachable = (limit: number) => ({
  status: 400,
  error: 'alarm_standard_unreachable',
  field: 'regions',
  limit,
});
const NOTHING = {
  alarm_consecutive: null,
  alarm_min_duration_seconds: null,
  alarm_quorum_mode: null,
  alarm_quorum_value: null,
};

test('a standard is set, read, replaced as a whole, removed with null, and recorded', async () => {
  const scene = await somewhere();
  assert.equal(await app.alice.ok('GET', path(scene)), null);
  const first = { ...NOTHING, min_regions: 2, alarm_consecutive: 4 };
  assert.deepEqual(await set(scene, { min_regions: 2, alarm_consecutive: 4 }), first);
  assert.deepEqual(await app.alice.ok('GET', path(scene)), first);
  const second = { ...NOTHING, min_regions: 1, alarm_min_duration_seconds: 30 };
  assert.deepEqual(await set(scene, second), second);
  assert.equal(await set(scene, null), null);
  assert.equal(await app.alice.ok('GET', path(scene)), null);
  const log = await app.alice.ok<ActivityEntry[]>('GET', `/organizations/${scene.orgId}/activity`);
  assert.deepEqual(
    log.slice(0, 3).map(({ action, before, after }) => ({ action, before, after })),
    [
      { action: 'alarm_standard.lift', before: second, after: null },
      { action: 'alarm_standard.set', before: first, after: second },
      { action: 'alarm_standard.set', before: null, after: first },
    ],
  );
});

test('a missing body is not null: it removes nothing', async () => {
  const scene = await somewhere();
  await set(scene, { min_regions: 2 });
  const answer = await app.alice.send('PUT', path(scene));
  assert.deepEqual([answer.status, (answer.body as { error: string }).error], [400, 'invalid_request']);
  assert.deepEqual(await app.alice.ok('GET', path(scene)), { ...NOTHING, min_regions: 2 });
});

for (const [standard, field] of [
  [{}, 'min_regions'],
  [{ min_regions: 0 }, 'min_regions'],
  [{ min_regions: 1001 }, 'min_regions'],
  [{ min_regions: 1, alarm_consecutive: 101 }, 'alarm_consecutive'],
  [{ min_regions: 1, alarm_quorum_mode: 'count' }, 'alarm_quorum_value'],
  [{ min_regions: 1, alarm_quorum_mode: 'percent', alarm_quorum_value: 101 }, 'alarm_quorum_value'],
  [{ min_regions: 1, recovery_consecutive: 3 }, 'recovery_consecutive'],
] as const)
  test(`the standard ${JSON.stringify(standard)} is refused, naming ${field}`, async () => {
    const scene = await somewhere();
    const answer = await app.alice.send('PUT', path(scene), standard);
    assertRefused(answer, { status: 400, error: 'invalid_request', field });
  });

test('a key narrowed to a project reads the standard of its monitors, and sets none', async () => {
  const scene = await somewhere();
  await set(scene, { min_regions: 2 });
  const { key } = await grantKey(app, scene.orgId, { projectIds: [scene.projectId] });
  const as = (method: string, body?: unknown) =>
    app.visitor().send(method, path(scene), body, { authorization: `Bearer ${key}` });
  assert.deepEqual((await as('GET')).body, { ...NOTHING, min_regions: 2 });
  assertRefused(await as('PUT', null), { status: 403, error: 'forbidden' });
});

test('a monitor with fewer regions than the standard requires is refused, with the number it needs', async () => {
  const scene = await somewhere();
  await set(scene, { min_regions: 2 });
  const body = { name: 'Low', type: 'http', config: { url: 'https://shop.example.com/' } };
  const create = (fields: object) =>
    app.alice.send('POST', `/projects/${scene.projectId}/monitors`, { ...body, ...fields });
  assertRefused(await create({}), unreachable(2));
  assert.equal((await create({ regions: ['local', 'north'] })).status, 201);
  await set(scene, { min_regions: 1, alarm_quorum_mode: 'count', alarm_quorum_value: 3 });
  // A floor: what the monitor itself would be content with does not matter.
  const modest = { regions: ['local', 'north'], policy: { alarm_quorum_mode: 'any' } };
  assertRefused(await create(modest), unreachable(3));
  assert.equal((await create({ name: 'High', regions: ['local', 'north', 'south'] })).status, 201);
});

test('types without regions are not affected', async () => {
  const scene = await somewhere();
  await set(scene, { min_regions: 3 });
  const config = { schedule: { kind: 'period', period_seconds: 3600 } };
  const monitor = await scene.create({ type: 'heartbeat', config, interval_seconds: 60 });
  assert.deepEqual(monitor.regions, []);
  await set(scene, { min_regions: 1, alarm_quorum_mode: 'count', alarm_quorum_value: 3 });
  await scene.create({ name: 'Under a count', type: 'heartbeat', config, interval_seconds: 60 });
});

test('setting a standard refuses no existing monitor; one below it may be renamed and improved', async () => {
  const scene = await somewhere();
  const monitor = await scene.create({ regions: ['local'] });
  await set(scene, { min_regions: 3, alarm_quorum_mode: 'count', alarm_quorum_value: 3 });
  const patch = (body: object) => app.alice.send('PATCH', `/monitors/${monitor.id}`, body);
  assert.equal((await patch({ name: 'Renamed', interval_seconds: 30 })).status, 200);
  // What was read can be sent back.
  assert.equal((await patch(await scene.read(monitor))).status, 200);
  assertRefused(await patch({ regions: ['north'] }), unreachable(3));
  assertRefused(await patch({ policy: { alarm_consecutive: 1 } }), unreachable(3));
  assert.equal((await patch({ regions: ['north', 'local'] })).status, 200);
  assertRefused(await patch({ regions: ['local'] }), unreachable(3));
  assert.equal((await patch({ regions: ['north', 'local', 'south'] })).status, 200);
  assert.equal((await patch({ policy: { alarm_consecutive: 1 } })).status, 200);
});

test('a quorum that a standard made unreachable requires all regions, so that no alarm is lost', async () => {
  const scene = await somewhere();
  const monitor = await scene.create();
  await set(scene, { min_regions: 1, alarm_quorum_mode: 'count', alarm_quorum_value: 5 });
  await scene.say(monitor, 'down', 'down');
  assert.equal((await scene.incidentOf(monitor)).evidence?.required_regions, 1);
});

test('four levels, field by field: the monitor, its profile, the standard, the platform', async () => {
  const scene = await somewhere();
  const effective = async (id: string) => (await scene.read({ id } as never)).policy?.effective_alarm;
  const values = { alarm_consecutive: 2, alarm_min_duration_seconds: 0 };
  const monitor = await scene.create({ regions: ['local', 'north', 'south'] });
  const platform = { ...values, alarm_quorum_mode: 'majority', alarm_quorum_value: null };
  assert.deepEqual(await effective(monitor.id), { ...platform, source: 'platform' });

  await set(scene, {
    min_regions: 1,
    alarm_consecutive: 6,
    alarm_min_duration_seconds: 40,
    alarm_quorum_mode: 'count',
    alarm_quorum_value: 2,
  });
  const organization = {
    alarm_consecutive: 6,
    alarm_min_duration_seconds: 40,
    alarm_quorum_mode: 'count',
    alarm_quorum_value: 2,
  };
  assert.deepEqual(await effective(monitor.id), { ...organization, source: 'organization' });

  const profile = await app.alice.ok<AlertProfile>('POST', `/organizations/${scene.orgId}/alert-profiles`, {
    name: 'Eager',
    alarm_consecutive: 3,
    alarm_quorum_value: 3,
  });
  await scene.change(monitor, { policy: { alert_profile_id: profile.id } });
  const fromProfile = { ...organization, alarm_consecutive: 3, alarm_quorum_value: 3 };
  assert.deepEqual(await effective(monitor.id), { ...fromProfile, source: 'alert_profile' });

  await scene.change(monitor, { policy: { alarm_consecutive: 1 } });
  assert.deepEqual(await effective(monitor.id), { ...fromProfile, alarm_consecutive: 1, source: 'monitor' });
  await set(scene, null);
  // The profile's value has no mode any more that would use it.
  assert.deepEqual(await effective(monitor.id), { ...platform, alarm_consecutive: 1, source: 'monitor' });
});

test('a current outage is evaluated again when the standard changes', async () => {
  const scene = await somewhere();
  await set(scene, { min_regions: 1, alarm_min_duration_seconds: 600 });
  const monitor = await scene.create();
  await scene.say(monitor, 'down', 'down');
  assert.deepEqual(await scene.incidentsOf(monitor), []);
  await set(scene, null);
  assert.equal((await scene.incidentOf(monitor)).status, 'open');
});
