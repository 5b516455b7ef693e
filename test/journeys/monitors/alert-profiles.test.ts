// Alert profiles over HTTP (docs/rules/confirmation.md#alert-profiles): what they are, who may change them, and that they
// are in force.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { AlertProfile } from '#src/alarm-policy/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { grantKey } from '#test/harness/scene.ts';
import { speakFor } from '#test/harness/spoken-monitors.ts';

let app: TestApp;
let driver: ReturnType<typeof speakFor>;
before(async () => {
  app = await startAppOfFile();
  driver = speakFor(app, await app.place());
});

let made = 0;
function profile(fields: object = {}, orgId = driver.orgId): Promise<AlertProfile> {
  made += 1;
  return app.alice.ok('POST', `/organizations/${orgId}/alert-profiles`, {
    name: `Profile ${made}`,
    ...fields,
  });
}
const send = (method: string, path: string, body?: unknown) => app.alice.send(method, path, body);
const list = (orgId = driver.orgId) => `/organizations/${orgId}/alert-profiles`;

test('a profile is created, listed, changed field by field, cleared with null, and deleted', async () => {
  const { orgId } = await app.place();
  const created = await profile(
    { name: ' Patient ', alarm_consecutive: 5, recovery_quorum_mode: 'all' },
    orgId,
  );
  const expected = {
    id: created.id,
    name: 'Patient',
    alarm_consecutive: 5,
    alarm_min_duration_seconds: null,
    alarm_quorum_mode: null,
    alarm_quorum_value: null,
    failed_interval_seconds: null,
    recovery_consecutive: null,
    recovery_quorum_mode: 'all',
    recovery_quorum_value: null,
    monitor_count: 0,
    created_at_unix: Math.floor(app.clock.ms() / 1000),
  };
  assert.deepEqual(created, expected);
  assert.match(created.id, /^alp_/);
  assert.deepEqual(await app.alice.ok('GET', list(orgId)), [expected]);
  const path = `/alert-profiles/${created.id}`;
  // What was read can be sent back.
  const changed = await app.alice.ok('PATCH', path, {
    ...expected,
    alarm_consecutive: null,
    recovery_consecutive: 4,
  });
  assert.deepEqual(changed, { ...expected, alarm_consecutive: null, recovery_consecutive: 4 });
  assertRefused(await send('PATCH', path, { monitor_count: 7 }), {
    status: 400,
    error: 'invalid_request',
    field: 'monitor_count',
  });
  assert.equal((await send('DELETE', path)).status, 204);
  assert.deepEqual(await app.alice.ok('GET', list(orgId)), []);
  assertRefused(await send('PATCH', path, {}), { status: 404, error: 'not_found' });

  const log = await app.alice.ok<ActivityEntry[]>('GET', `/organizations/${orgId}/activity`);
  const own = log.filter(({ resource }) => resource.kind === 'alert_profile');
  assert.deepEqual(
    own.map(({ action }) => action),
    ['alert_profile.delete', 'alert_profile.update', 'alert_profile.create'],
  );
  assert.deepEqual([own[1]?.before, own[1]?.after], [expected, changed]);
});

test('a name that is empty, invisible or already taken in the organization is refused', async () => {
  const first = await profile();
  const second = await profile();
  const duplicate = { status: 409, error: 'name_taken', field: 'name' };
  assertRefused(await send('POST', list(), { name: first.name }), duplicate);
  assertRefused(await send('PATCH', `/alert-profiles/${second.id}`, { name: first.name }), duplicate);
  assertRefused(await send('POST', list(), { name: ' \u200b ' }), {
    status: 400,
    error: 'empty_name',
    field: 'name',
  });
  await profile({ name: first.name }, (await app.place()).orgId);
});

for (const [fields, field] of [
  [{ alarm_consecutive: 0 }, 'alarm_consecutive'],
  [{ alarm_quorum_mode: 'most' }, 'alarm_quorum_mode'],
  [{ alarm_quorum_mode: 'percent', alarm_quorum_value: 101 }, 'alarm_quorum_value'],
  [{ alert_profile_id: 'x' }, 'alert_profile_id'],
] as const)
  test(`a profile with ${JSON.stringify(fields)} is refused, on create and on update`, async () => {
    const refusal = { status: 400, error: 'invalid_request', field };
    assertRefused(await send('POST', list(), { name: 'Wrong', ...fields }), refusal);
    const { id } = await profile();
    assertRefused(await send('PATCH', `/alert-profiles/${id}`, fields), refusal);
  });

test('checking faster than the plan allows is refused, but not faster than every monitor is by default', async () => {
  const { orgId } = await app.place(app.alice, 'free');
  await profile({ failed_interval_seconds: 15 }, orgId);
  assertRefused(await send('POST', list(orgId), { name: 'Fast', failed_interval_seconds: 14 }), {
    status: 400,
    error: 'invalid_request',
    field: 'failed_interval_seconds',
  });
});

test('the list comes in pages', async () => {
  const { orgId } = await app.place();
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.push((await profile({}, orgId)).id);
  const first = await app.alice.send<AlertProfile[]>('GET', `${list(orgId)}?limit=2`);
  assert.deepEqual(
    first.body.map(({ id }) => id),
    ids.slice(0, 2),
  );
  const next = /<(.+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await app.alice.ok<AlertProfile[]>('GET', next);
  assert.deepEqual(
    second.map(({ id }) => id),
    ids.slice(2),
  );
});

test('a key narrowed to a project can neither see nor change profiles; another key can', async () => {
  const { id } = await profile();
  const narrowed = await grantKey(app, driver.orgId, { projectIds: [driver.projectId] });
  const whole = await grantKey(app, driver.orgId);
  const as = ({ key }: { key: string }, method: string, path: string, body?: unknown) =>
    app.visitor().send(method, path, body, { authorization: `Bearer ${key}` });
  assert.deepEqual((await as(narrowed, 'GET', list())).body, []);
  for (const [method, path] of [
    ['POST', list()],
    ['PATCH', `/alert-profiles/${id}`],
    ['DELETE', `/alert-profiles/${id}`],
  ] as const)
    assertRefused(await as(narrowed, method, path, method === 'DELETE' ? undefined : { name: 'Mine' }), {
      status: 403,
      error: 'forbidden',
    });
  assert.equal((await as(whole, 'PATCH', `/alert-profiles/${id}`, { alarm_consecutive: 4 })).status, 200);
});

test('a monitor inherits unset fields from its profile, and shows the level of each', async () => {
  const { id } = await profile({
    alarm_consecutive: 4,
    alarm_min_duration_seconds: 60,
    recovery_consecutive: 3,
  });
  const monitor = await driver.create({ policy: { alert_profile_id: id, alarm_min_duration_seconds: 0 } });
  const expected = {
    alarm_consecutive: 4,
    alarm_min_duration_seconds: 0,
    alarm_quorum_mode: 'majority',
    alarm_quorum_value: null,
  };
  assert.deepEqual(monitor.policy?.effective_alarm, { ...expected, source: 'monitor' });
  assert.deepEqual([monitor.policy?.alert_profile_id, monitor.policy?.alarm_consecutive], [id, null]);
  const inherits = await driver.change(monitor, { policy: { alarm_min_duration_seconds: null } });
  const inherited = { ...expected, alarm_min_duration_seconds: 60, source: 'alert_profile' };
  assert.deepEqual(inherits.policy?.effective_alarm, inherited);
  const listed = await app.alice.ok<(typeof monitor)[]>('GET', `/projects/${driver.projectId}/monitors`);
  assert.deepEqual(listed.find((each) => each.id === monitor.id)?.policy, inherits.policy);
  assert.deepEqual(await driver.change(inherits, { policy: inherits.policy }), inherits);
  const [counted] = (await app.alice.ok<AlertProfile[]>('GET', list())).filter((each) => each.id === id);
  assert.equal(counted?.monitor_count, 1);
  const without = await driver.change(monitor, { policy: { alert_profile_id: null } });
  assert.equal(without.policy?.effective_alarm.source, 'platform');
});

test('confirmation follows the profile: five failures in a row instead of two', async () => {
  const { id } = await profile({ alarm_consecutive: 5, recovery_consecutive: 1 });
  const monitor = await driver.create({ policy: { alert_profile_id: id } });
  await driver.say(monitor, 'down', 'down', 'down', 'down');
  assert.deepEqual(await driver.incidentsOf(monitor), []);
  await driver.say(monitor, 'down');
  assert.equal((await driver.incidentOf(monitor)).evidence?.consecutive_failures_required, 5);
  await driver.say(monitor, 'up');
  assert.equal((await driver.incidentOf(monitor)).status, 'closed');
});

test('an unknown, foreign or malformed profile is refused with its field', async () => {
  const foreign = await profile({}, (await app.place()).orgId);
  const monitor = await driver.create();
  const refusal = { status: 400, error: 'invalid_request', field: 'policy.alert_profile_id' };
  for (const alert_profile_id of [foreign.id, 'alp_01h455vb4pex5vsknk084sn02q', 'nonsense', ''])
    assertRefused(await send('PATCH', `/monitors/${monitor.id}`, { policy: { alert_profile_id } }), refusal);
});

test('a profile cannot be deleted while a monitor uses it', async () => {
  const { id } = await profile();
  const monitor = await driver.create({ policy: { alert_profile_id: id } });
  assertRefused(await send('DELETE', `/alert-profiles/${id}`), { status: 409, error: 'profile_in_use' });
  await app.alice.ok('DELETE', `/monitors/${monitor.id}`);
  assert.equal((await send('DELETE', `/alert-profiles/${id}`)).status, 204);
});

test('if a profile is deleted while a monitor starts using it, one of the two is refused', async () => {
  for (let i = 0; i < 5; i++) {
    const { id } = await profile();
    const monitor = await driver.create();
    const [deleted, changed] = await Promise.all([
      send('DELETE', `/alert-profiles/${id}`),
      send('PATCH', `/monitors/${monitor.id}`, { policy: { alert_profile_id: id } }),
    ]);
    const outcomes = `${deleted.status} ${changed.status}`;
    assert.ok(['204 400', '409 200'].includes(outcomes), outcomes);
  }
});

test('a shorter minimum duration in the profile opens current outages at once, for every monitor that uses it', async () => {
  const { id } = await profile({ alarm_min_duration_seconds: 600 });
  const policy = { alert_profile_id: id };
  const [first, second, other] = [
    await driver.create({ policy }),
    await driver.create({ policy }),
    await driver.create(),
  ];
  for (let i = 0; i < 2; i++) await driver.sayTogether([first, second], 'down');
  assert.deepEqual([await driver.incidentsOf(first), await driver.incidentsOf(second)], [[], []]);
  app.clock.advance(5000);
  await app.alice.ok('PATCH', `/alert-profiles/${id}`, { alarm_min_duration_seconds: 5 });
  for (const monitor of [first, second]) {
    const incident = await driver.incidentOf(monitor);
    assert.equal(incident.evidence?.minimum_confirmed_outage_seconds, 5);
    assert.equal(incident.evidence?.triggered_at_unix, incident.started_at_unix + 5);
  }
  assert.deepEqual(await driver.incidentsOf(other), []);
});

test('a new interval in the profile applies at once to a failing monitor', async () => {
  const { id } = await profile({ failed_interval_seconds: 20 });
  const monitor = await driver.create({ interval_seconds: 60, policy: { alert_profile_id: id } });
  const healthy = await driver.create({ interval_seconds: 60, policy: { alert_profile_id: id } });
  const intervals = async () => {
    const { monitors } = await app.probe().assignments();
    return [monitor, healthy].map((each) => monitors.find((m) => m.monitor_id === each.id)?.interval_seconds);
  };
  await driver.say(healthy, 'up');
  await driver.say(monitor, 'down', 'down');
  assert.deepEqual(await intervals(), [20, 60]);
  await app.alice.ok('PATCH', `/alert-profiles/${id}`, { failed_interval_seconds: 5 });
  assert.deepEqual(await intervals(), [5, 60]);
});

test('a profile cannot require more regions than one of its monitors has', async () => {
  const { id } = await profile();
  const monitor = await driver.create({ policy: { alert_profile_id: id } });
  const answer = await send('PATCH', `/alert-profiles/${id}`, {
    alarm_quorum_mode: 'count',
    alarm_quorum_value: 2,
  });
  assertRefused(answer, { status: 400, error: 'invalid_request', field: 'alarm_quorum_value' });
  assert.ok((answer.body as { message: string }).message.includes(JSON.stringify(monitor.name)));
  const counting = await profile({ alarm_quorum_mode: 'count', alarm_quorum_value: 2 });
  assertRefused(
    await send('PATCH', `/monitors/${monitor.id}`, { policy: { alert_profile_id: counting.id } }),
    { status: 400, error: 'invalid_request', field: 'policy.alarm_quorum_value' },
  );
});
