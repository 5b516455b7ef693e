// Monitors over HTTP: create, read, list, change, delete, and what merges how (docs/rules/monitor-types.md#monitor-fields,
// docs/rules/errors-and-conventions.md#updates).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Answer } from '#test/harness/client.ts';

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
});

let made = 0;
const URL_OF = 'https://shop.example.com/health';

function create(fields: Record<string, unknown> = {}, projectId = place.projectId): Promise<Monitor> {
  made += 1;
  const body = { name: `Monitor ${made}`, type: 'http', config: { url: URL_OF }, ...fields };
  return app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, body);
}
const patch = (monitor: Monitor, body: unknown) =>
  app.alice.send<Monitor>('PATCH', `/monitors/${monitor.id}`, body);
const changed = async (monitor: Monitor, body: unknown) => {
  const answer = await patch(monitor, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};

test('a minimal monitor has every default of the rules', async () => {
  const answer = await app.alice.send<Monitor>('POST', `/projects/${place.projectId}/monitors`, {
    name: '  Shop front ',
    type: 'http',
    config: { url: URL_OF },
  });
  assert.equal(answer.status, 201);
  const { id, config, policy, ...rest } = answer.body;
  assert.match(id, /^mon_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  assert.deepEqual(rest, {
    name: 'Shop front',
    slug: 'shop-front',
    project_id: place.projectId,
    type: 'http',
    enabled: true,
    interval_seconds: 60,
    regions: ['local'],
    last_status: null,
    last_severity: null,
    last_status_since_unix: null,
    confirming: null,
    no_data_since_unix: Math.floor(app.clock.ms() / 1000),
    cannot_check: null,
    in_maintenance_until_unix: null,
    alarm_gate: null,
    depends_on: [],
    disabled_reason: null,
    severity: 'critical',
    tags: [],
    example: false,
  });
  assert.deepEqual(config, {
    url: URL_OF,
    method: 'GET',
    headers: {},
    secret_headers: [],
    body: null,
    auth: null,
    timeout_ms: 10_000,
    follow_redirects: true,
    max_redirects: 10,
    expected_status: ['200-299'],
    degraded_after_ms: null,
    keyword: null,
    json_assertions: [],
    header_assertions: [],
    tls: {
      verify: true,
      min_days_left: null,
      server_name: null,
      ca_pem: null,
      client_cert_pem: null,
      client_key_pem: null,
    },
    ip_family: 'auto',
    max_body_bytes: 1_048_576,
    cache_bust: false,
    keep_response: true,
  });
  assert.deepEqual(policy, {
    alarm_consecutive: null,
    alarm_min_duration_seconds: null,
    alarm_quorum_mode: null,
    alarm_quorum_value: null,
    alert_profile_id: null,
    failed_interval_seconds: null,
    recovery_consecutive: null,
    recovery_quorum_mode: null,
    recovery_quorum_value: null,
    effective_alarm: {
      alarm_consecutive: 2,
      alarm_min_duration_seconds: 0,
      alarm_quorum_mode: 'majority',
      alarm_quorum_value: null,
      source: 'platform',
    },
  });
});

test('get and list return the same as create', async () => {
  const { projectId } = await app.place();
  const first = await create({}, projectId);
  const second = await create({}, projectId);
  assert.deepEqual(await app.alice.ok('GET', `/monitors/${first.id}`), first);
  assert.deepEqual(await app.alice.ok('GET', `/projects/${projectId}/monitors`), [second, first]);
});

test('a list ends at its limit and links to the next page', async () => {
  const { projectId } = await app.place();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift((await create({}, projectId)).id);
  const seen: string[] = [];
  let path: string | null = `/projects/${projectId}/monitors?limit=2`;
  let pages = 0;
  while (path) {
    const page: Answer<Monitor[]> = await app.alice.send('GET', path);
    seen.push(...page.body.map((monitor) => monitor.id));
    path = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1] ?? null;
    pages += 1;
  }
  assert.deepEqual(seen, ids);
  assert.equal(pages, 3);
});

test('a slug that is already taken in the project gets a number, and a rename keeps the slug', async () => {
  const { projectId } = await app.place();
  const one = await create({ name: 'Front door' }, projectId);
  const two = await create({ name: 'Front: door' }, projectId);
  const three = await create({ name: 'Front - door' }, projectId);
  assert.deepEqual([one.slug, two.slug, three.slug], ['front-door', 'front-door-2', 'front-door-3']);
  assert.equal((await changed(one, { name: 'Back door' })).slug, 'front-door');
});

test('a name without any letter still gets a slug', async () => {
  const { projectId } = await app.place();
  const monitor = await create({ name: '🔔🔔' }, projectId);
  assert.match(monitor.slug, /^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test('an empty update, and one with nulls only, changes nothing', async () => {
  const monitor = await create({
    policy: { alarm_consecutive: 3 },
    alarm_gate: { grace_seconds: 60, origins: ['reboot'] },
  });
  assert.deepEqual(await changed(monitor, {}), monitor);
  const nulls = {
    name: null,
    type: null,
    config: null,
    enabled: null,
    interval_seconds: null,
    regions: null,
    policy: null,
    alarm_gate: null,
  };
  assert.deepEqual(await changed(monitor, nulls), monitor);
});

test('a monitor can be sent back as read, whatever it has', async () => {
  const monitor = await create({
    interval_seconds: 5,
    enabled: false,
    config: {
      url: URL_OF,
      method: 'POST',
      body: 'ping',
      headers: { Authorization: 'Bearer abc', 'X-Key': 'k', Accept: '*/*' },
      secret_headers: ['x-key'],
      auth: { kind: 'basic', username: 'u', password: 'p' },
      keyword: { text: 'ok' },
      json_assertions: [{ path: '$.a', op: 'eq', value: null }],
      header_assertions: [{ name: 'x', op: 'exists' }],
    },
    policy: { alarm_quorum_mode: 'count', alarm_quorum_value: 1, failed_interval_seconds: 2 },
    alarm_gate: { grace_seconds: 60, origins: ['deployment'] },
  });
  assert.deepEqual(await changed(monitor, monitor), monitor);
  assert.deepEqual(await app.alice.ok('GET', `/monitors/${monitor.id}`), monitor);
});

test('a default that was read and sent back stays a default', async () => {
  const monitor = await create({ interval_seconds: 5 });
  assert.equal((monitor.config as { timeout_ms: number }).timeout_ms, 4000);
  const same = await changed(monitor, monitor);
  const slower = await changed(same, { interval_seconds: 60 });
  assert.equal((slower.config as { timeout_ms: number }).timeout_ms, 10_000);
});

test('a default inside a given part of the config stays one too, and a failure goes on being confirmed', async () => {
  const monitor = await create({ config: { url: URL_OF, keyword: { text: 'In stock' } } });
  app.clock.advance(1000);
  await app.probe().says(monitor.id, 'down');
  const read = await app.alice.ok<Monitor>('GET', `/monitors/${monitor.id}`);
  assert.deepEqual(read.confirming, { failures: 1, required: 2 });
  const { confirming } = await changed(monitor, { name: `${monitor.name} again`, config: read.config });
  assert.deepEqual(confirming, read.confirming);
});

test('a monitor can be read and sent back with another interval and a default timeout', async () => {
  const monitor = await create({ interval_seconds: 60 });
  const faster = await changed(monitor, { ...monitor, interval_seconds: 5 });
  assert.equal((faster.config as { timeout_ms: number }).timeout_ms, 4000);
});

for (const [field, value] of Object.entries({
  id: 'mon_01h455vb4pex5vsknk084sn02q',
  slug: 'another',
  project_id: 'prj_01h455vb4pex5vsknk084sn02q',
  last_status: 'passed',
  last_severity: 'ok',
})) {
  test(`${field} is read-only: another value is refused by name`, async () => {
    const monitor = await create();
    const answer = await patch(monitor, { [field]: value });
    assert.equal(answer.status, 400);
    const { error, field: named } = answer.body as unknown as { error: string; field: string };
    assert.deepEqual({ error, named }, { error: 'invalid_request', named: field });
  });
}

test('policy.effective_alarm is read-only in an update of the policy too', async () => {
  const monitor = await create();
  const other = { ...monitor.policy?.effective_alarm, alarm_consecutive: 9 };
  const answer = await patch(monitor, { policy: { effective_alarm: other } });
  assert.equal(answer.status, 400);
  assert.equal((answer.body as unknown as { field: string }).field, 'policy.effective_alarm');
  const both = await changed(monitor, { policy: { ...monitor.policy, alarm_consecutive: 4 } });
  assert.equal(both.policy?.effective_alarm.alarm_consecutive, 4);
});

test('fields of policy merge one by one, and null resets one to inheritance', async () => {
  const monitor = await create({ policy: { alarm_consecutive: 3, recovery_consecutive: 5 } });
  assert.equal(monitor.policy?.effective_alarm.source, 'monitor');
  const merged = await changed(monitor, { policy: { failed_interval_seconds: 10 } });
  assert.deepEqual(
    [
      merged.policy?.alarm_consecutive,
      merged.policy?.recovery_consecutive,
      merged.policy?.failed_interval_seconds,
    ],
    [3, 5, 10],
  );
  const cleared = await changed(merged, { policy: { alarm_consecutive: null } });
  assert.equal(cleared.policy?.alarm_consecutive, null);
  assert.equal(cleared.policy?.recovery_consecutive, 5);
  assert.deepEqual(
    [cleared.policy?.effective_alarm.alarm_consecutive, cleared.policy?.effective_alarm.source],
    [2, 'platform'],
  );
});

test('fields of alarm_gate merge one by one, and null clears one', async () => {
  const monitor = await create({ alarm_gate: { grace_seconds: 60, origins: ['reboot'] } });
  const merged = await changed(monitor, { alarm_gate: { origins: ['deployment', 'manual'] } });
  assert.deepEqual(merged.alarm_gate, { grace_seconds: 60, origins: ['deployment', 'manual'] });
  const cleared = await changed(merged, { alarm_gate: { grace_seconds: null } });
  assert.deepEqual(cleared.alarm_gate, { grace_seconds: null, origins: ['deployment', 'manual'] });
});

test('config merges at its top level, and null resets a field to its default', async () => {
  const monitor = await create({
    config: { url: URL_OF, headers: { A: '1' }, timeout_ms: 2000, keyword: { text: 'x' } },
  });
  const merged = await changed(monitor, { config: { headers: { B: '2' } } });
  assert.deepEqual(merged.config, { ...(monitor.config as object), headers: { B: '2' } });
  const cleared = await changed(merged, { config: { keyword: null, timeout_ms: null } });
  const config = cleared.config as { keyword: unknown; timeout_ms: number };
  assert.deepEqual([config.keyword, config.timeout_ms], [null, 10_000]);
});

test('the default timeout shrinks to 80 % of a short interval', async () => {
  for (const [interval, timeout] of [
    [1, 800],
    [5, 4000],
    [12, 9600],
    [13, 10_000],
    [60, 10_000],
  ] as const) {
    const monitor = await create({ interval_seconds: interval });
    assert.equal((monitor.config as { timeout_ms: number }).timeout_ms, timeout, `${interval} s`);
  }
});

test('delete answers 204 without a body, and the monitor is gone from everywhere', async () => {
  const { projectId } = await app.place();
  const monitor = await create({}, projectId);
  const answer = await app.alice.send('DELETE', `/monitors/${monitor.id}`);
  assert.deepEqual([answer.status, answer.body], [204, '']);
  for (const path of ['', '/checks', '/series', '/incidents'])
    assert.equal((await app.alice.send('GET', `/monitors/${monitor.id}${path}`)).status, 404, path);
  assert.deepEqual(await app.alice.ok('GET', `/projects/${projectId}/monitors`), []);
  assert.equal((await app.alice.send('DELETE', `/monitors/${monitor.id}`)).status, 404);
});

test('every write is in the activity log, with who, what, before and after, without secrets', async () => {
  const { projectId, orgId } = await app.place();
  const config = { url: URL_OF, auth: { kind: 'bearer', token: 'very secret' } };
  const monitor = await create({ name: 'Logged', config }, projectId);
  await changed(monitor, { name: 'Logged on' });
  await app.alice.ok('DELETE', `/monitors/${monitor.id}`);
  const rows = await app.db
    .selectFrom('activity')
    .select(['action', 'actor_id', 'actor_kind', 'address', 'before', 'after'])
    .where('org_id', '=', orgId)
    .where('resource_id', '=', monitor.id)
    .orderBy('id')
    .execute();
  assert.deepEqual(
    rows.map((row) => row.action),
    ['monitor.create', 'monitor.update', 'monitor.delete'],
  );
  assert.ok(rows.every((row) => row.actor_id === app.alice.userId && row.address === '127.0.0.1'));
  assert.deepEqual(
    rows.map((row) => [(row.before as Monitor | null)?.name, (row.after as Monitor | null)?.name]),
    [
      [undefined, 'Logged'],
      ['Logged', 'Logged on'],
      ['Logged on', undefined],
    ],
  );
  assert.doesNotMatch(JSON.stringify(rows), /very secret|sealed:/);
});
