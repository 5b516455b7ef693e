// API keys (docs/rules/access.md#api-keys): made, shown once, used, counted out, revoked.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { ApiKey, createApiKey } from '#src/api-keys/contract.ts';
import { MAX_KEYS } from '#src/api-keys/create.ts';
import { makeKey } from '#src/api-keys/format.ts';
import type { IncidentDetail, IncidentSummary, TimelineEntry } from '#src/incidents/contract.ts';
import type { BodyOf, ReplyOf } from '#src/platform/contract.ts';
import { newId } from '#src/platform/ids.ts';
import { createLog } from '#src/platform/log.ts';
import { hashToken } from '#src/platform/secrets.ts';
import { type Place, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import type { Client } from '#test/harness/client.ts';
import { startCutLine } from '#test/harness/cut-line.ts';
import { checksUntilEnd, MAX_STREAM_CHECKS, openEventStream } from '#test/harness/event-stream.ts';
import { clientWithKey, makeKeyHolder } from '#test/harness/keys.ts';
import { assertRefused } from '#test/harness/refused.ts';

type Asked = Partial<BodyOf<typeof createApiKey>>;
type Created = ReplyOf<typeof createApiKey>;

let app: TestApp;
let place: Place;
let keys: string;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
  keys = `/organizations/${place.orgId}/api-keys`;
});

const READ = ['organization:read', 'projects:read', 'monitors:read', 'incidents:read'] as const;
const BODY: Asked = { name: 'Robot', scopes: [...READ] };
const holder = (asked: Asked = {}) =>
  makeKeyHolder(app, app.alice, place.orgId, { scopes: [...READ], ...asked });
const monitorIn = ({ projectId }: Place, name: string) => {
  const body = { name, type: 'http', config: { url: 'https://shop.example.com/' } };
  return app.alice.ok<{ id: string }>('POST', `/projects/${projectId}/monitors`, body);
};
const activityOf = (id: string) =>
  app.db.selectFrom('activity').selectAll().where('resource_id', '=', id).orderBy('id').execute();

test('creating answers 201 with the key; only a hash and its first 8 characters are stored', async () => {
  const asked = { ...BODY, name: '  Robot  ', scopes: [...READ, 'monitors:read'] };
  const answer = await app.alice.send<Created>('POST', keys, asked);
  assert.equal(answer.status, 201);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const { key, ...shown } = answer.body;
  assert.match(key, /^tcn_[0-9A-Za-z]{49}$/);
  assert.match(shown.id, /^key_/);
  assert.deepEqual(shown, {
    id: shown.id,
    name: 'Robot',
    prefix: key.slice(0, 8),
    scopes: READ,
    project_ids: null,
    monitor_ids: null,
    created_at_unix: Math.floor(app.clock.ms() / 1000),
    created_by_name: shown.created_by_name,
    created_by_user_id: app.alice.userId,
    created_by_gone: false,
    expires_at_unix: null,
    last_used_at_unix: null,
  });
  const [listed] = await app.alice.ok<ApiKey[]>('GET', keys);
  assert.deepEqual(listed, shown);
  const row = await app.db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', shown.id)
    .executeTakeFirstOrThrow();
  assert.deepEqual(row.hash, hashToken(key));
  assert.ok(!JSON.stringify(row).includes(key.slice(8)));
});

test('the activity log records creating and revoking a key, without the key and its hash', async () => {
  const { id, key } = await holder({ name: 'Recorded' });
  await app.alice.ok('DELETE', `${keys}/${id}`);
  const entries = await activityOf(id);
  assert.deepEqual(
    entries.map(({ action, actor_id, resource_kind, resource_name }) => [
      action,
      actor_id,
      resource_kind,
      resource_name,
    ]),
    [
      ['api_key.create', app.alice.userId, 'api_key', 'Recorded'],
      ['api_key.revoke', app.alice.userId, 'api_key', 'Recorded'],
    ],
  );
  assert.deepEqual([entries[0]?.before, entries[1]?.after], [null, null]);
  assert.deepEqual(entries[0]?.after, entries[1]?.before);
  const text = JSON.stringify(entries);
  const hash = hashToken(key);
  for (const secret of [key.slice(8, 20), hash.toString('hex'), hash.toString('base64')])
    assert.ok(!text.includes(secret));
});

test('the list has the keys of one organization, newest first', async () => {
  const other = await app.place();
  const path = `/organizations/${other.orgId}/api-keys`;
  for (const name of ['first', 'second', 'third']) {
    await app.alice.ok('POST', path, { ...BODY, name });
    app.clock.advance(1000);
  }
  const list = await app.alice.ok<ApiKey[]>('GET', path);
  assert.deepEqual(
    list.map(({ name }) => name),
    ['third', 'second', 'first'],
  );
});

const now = () => Math.floor(app.clock.ms() / 1000);
const refused: [asked: () => Record<string, unknown>, error: string, field: string][] = [
  [() => ({ name: '' }), 'empty_name', 'name'],
  [() => ({ name: '   ' }), 'empty_name', 'name'],
  [() => ({ name: undefined }), 'invalid_request', 'name'],
  [() => ({ name: 'n'.repeat(201) }), 'invalid_request', 'name'],
  [() => ({ scopes: undefined }), 'invalid_request', 'scopes'],
  [() => ({ scopes: [] }), 'invalid_request', 'scopes'],
  [() => ({ scopes: ['monitors'] }), 'invalid_request', 'scopes.0'],
  [() => ({ scopes: ['monitors:read', 'everything:write'] }), 'invalid_request', 'scopes.1'],
  [() => ({ project_ids: [] }), 'invalid_request', 'project_ids'],
  [() => ({ monitor_ids: [] }), 'invalid_request', 'monitor_ids'],
  [() => ({ expires_at_unix: now() }), 'invalid_request', 'expires_at_unix'],
  [() => ({ expires_at_unix: 0 }), 'invalid_request', 'expires_at_unix'],
  [() => ({ key: 'tcn_mine' }), 'invalid_request', 'key'],
];
for (const [asked, error, field] of refused)
  test(`create refuses ${field} with ${error}: ${asked.toString().slice(6, 80)}`, async () => {
    const count = (await app.alice.ok<ApiKey[]>('GET', keys)).length;
    const answer = await app.alice.send('POST', keys, { ...BODY, ...asked() });
    assertRefused(answer, { status: 400, error, field });
    assert.equal((await app.alice.ok<ApiKey[]>('GET', keys)).length, count);
  });

test('a key can be narrowed only to projects and monitors of its own organization', async () => {
  const other = await app.place();
  const [mine, foreign] = [await monitorIn(place, 'Mine'), await monitorIn(other, 'Foreign')];
  const wrong: [Asked, string, string][] = [
    [{ project_ids: [place.projectId, other.projectId] }, 'project_ids', other.projectId],
    [{ monitor_ids: [mine.id, foreign.id] }, 'monitor_ids', foreign.id],
    [{ project_ids: [mine.id] }, 'project_ids', mine.id],
    [{ monitor_ids: ['mon_unknown'] }, 'monitor_ids', 'mon_unknown'],
  ];
  for (const [asked, field, named] of wrong) {
    const answer = await app.alice.send<{ message: string }>('POST', keys, { ...BODY, ...asked });
    assertRefused(answer, { status: 400, error: 'invalid_request', field });
    assert.ok(answer.body.message.includes(named), answer.body.message);
  }
  const asked = { project_ids: [place.projectId, place.projectId], monitor_ids: [mine.id, mine.id] };
  const made = await app.alice.ok<Created>('POST', keys, { ...BODY, ...asked });
  assert.deepEqual([made.project_ids, made.monitor_ids], [[place.projectId], [mine.id]]);
});

test('an organization has at most 200 keys, even if many are created at once', async () => {
  const place = await app.place();
  const path = `/organizations/${place.orgId}/api-keys`;
  const row = (no: number) => ({
    id: newId('key'),
    org_id: place.orgId,
    name: `Key ${no}`,
    hash: hashToken(`${place.orgId} ${no}`),
    prefix: 'tck_xxxx',
    scopes: ['monitors:read'],
    created_by_user_id: app.alice.userId,
    created_at: app.clock.now(),
  });
  await app.db
    .insertInto('api_keys')
    .values(Array.from({ length: MAX_KEYS - 1 }, (_, no) => row(no)))
    .execute();
  const body = { name: 'One more', scopes: ['monitors:read'] };
  const answers = await Promise.all(Array.from({ length: 5 }, () => app.alice.send('POST', path, body)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
  const refused = answers.find(({ status }) => status === 409)!;
  assert.deepEqual(refused.body, {
    error: 'limit_reached',
    message: `This organization has ${MAX_KEYS} API keys, which is the maximum; revoke one that is not used any more.`,
    limit: MAX_KEYS,
  });
});

test('revoking a key takes effect at once, on every server', async () => {
  await using other = await app.another();
  const robot = await holder();
  const elsewhere = clientWithKey(other.url, robot.key);
  for (const client of [robot, elsewhere]) await client.ok('GET', '/me/organizations');
  const answer = await app.alice.send('DELETE', `${keys}/${robot.id}`);
  assert.deepEqual([answer.status, answer.body], [204, '']);
  for (const client of [elsewhere, robot])
    assertRefused(await client.send('GET', '/me/organizations'), { status: 401, error: 'unauthenticated' });
  const rows = await app.db.selectFrom('api_keys').select('id').where('id', '=', robot.id).execute();
  assert.deepEqual(rows, []);
});

test('revoking a key of another organization is 404', async () => {
  const other = await app.place();
  const foreign = await makeKeyHolder(app, app.alice, other.orgId, { scopes: [...READ] });
  const { id } = await holder();
  await app.alice.ok('DELETE', `${keys}/${id}`);
  for (const unknown of [foreign.id, id, 'key_x', 'x', '%00'])
    assertRefused(await app.alice.send('DELETE', `${keys}/${unknown}`), { status: 404, error: 'not_found' });
  await foreign.ok('GET', '/me/organizations');
});

test('a key works until the second it expires', async () => {
  const robot = await holder({ expires_at_unix: now() + 60 });
  await robot.ok('GET', '/me/organizations');
  app.clock.advance(59_999);
  await robot.ok('GET', '/me/organizations');
  app.clock.advance(1);
  const answer = await robot.send('GET', '/me/organizations');
  assertRefused(answer, { status: 401, error: 'unauthenticated' });
});

test('the last use of a key is accurate to a minute, and a busy key does not write on every request', async () => {
  const robot = await holder();
  const row = () =>
    app.db
      .selectFrom('api_keys')
      .select([
        'last_used_at',
        (eb) => eb.cast<string>(eb.ref('api_keys.xmin' as never), 'text').as('version'),
      ])
      .where('id', '=', robot.id)
      .executeTakeFirstOrThrow();
  const startedAt = app.clock.ms();
  await Promise.all(Array.from({ length: 10 }, () => robot.ok('GET', '/me/organizations')));
  const first = await row();
  assert.equal(first.last_used_at?.getTime(), startedAt);
  app.clock.advance(59_999);
  await robot.ok('GET', '/me/organizations');
  assert.deepEqual(await row(), first);
  app.clock.advance(1);
  await robot.ok('GET', '/me/organizations');
  const listed = await app.alice.ok<ApiKey[]>('GET', keys);
  assert.equal(listed.find(({ id }) => id === robot.id)?.last_used_at_unix, startedAt / 1000 + 60);
});

test('a malformed key is refused without a database look-up', async () => {
  await using stack = new AsyncDisposableStack();
  const line = await startCutLine();
  stack.defer(() => line.stop());
  const away = stack.use(await startTestApp({ throughUrl: line.urlThrough }));
  const { key } = await makeKeyHolder(away, away.alice, away.home.orgId, { scopes: [...READ] });
  const statusOf = async (text: string, path = '/me/organizations') =>
    (await clientWithKey(away.url, text).send('GET', path)).status;
  assert.equal(await statusOf(key), 200);
  await line.cut();
  assert.equal(await statusOf(key), 503);
  assert.equal(await statusOf(makeKey()), 503);
  const mistyped = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
  for (const text of [mistyped, key.slice(1), `${key}0`, 'tcn_', 'x', `tcn_${'0'.repeat(49)}`])
    assert.equal(await statusOf(text), 401, text);
  assert.equal(await statusOf(key, `/organizations/${away.home.orgId}/api-keys`), 401, 'not for keys at all');
});

test('operations without a scope accept no keys', async () => {
  const robot = await holder({ scopes: ['organization:write', 'monitors:write'] });
  const requests: [string, string, unknown?][] = [
    ['GET', keys],
    ['POST', keys, BODY],
    ['DELETE', `${keys}/${robot.id}`],
    ['POST', '/organizations', { name: 'Of a robot' }],
    ['GET', '/auth/get-session'],
    ['POST', '/auth/change-password', { currentPassword: 'x', newPassword: 'y' }],
  ];
  for (const [method, path, body] of requests) {
    const both = await robot.send(method, path, body, { cookie: app.alice.cookie() });
    assertRefused(both, { status: 401, error: 'key_not_accepted' }, `${method} ${path}`);
  }
});

test('a request with a key never falls back to the cookie', async () => {
  const { key } = await holder();
  for (const text of ['', 'x', makeKey(), `${key}x`]) {
    const headers = { authorization: `Bearer ${text}` };
    const answer = await app.alice.send('GET', '/me/organizations', undefined, headers);
    assertRefused(answer, { status: 401, error: 'unauthenticated' }, text);
  }
});

test('a scope gives access to its resource only, and write implies read', async () => {
  const monitor = await monitorIn(place, 'Scoped');
  const reader = await holder({ scopes: ['monitors:read'] });
  const writer = await holder({ scopes: ['monitors:write'] });
  const other = await holder({ scopes: ['projects:write', 'incidents:write', 'organization:write'] });
  const path = `/monitors/${monitor.id}`;
  for (const robot of [reader, writer]) await robot.ok('GET', path);
  await writer.ok('PATCH', path, { name: 'Scoped anew' });
  const lacks = { status: 403, error: 'forbidden' };
  assertRefused(await reader.send('PATCH', path, { name: 'Never' }), lacks);
  assertRefused(await other.send('GET', path), lacks);
  assertRefused(await writer.send('GET', `${path}/incidents`), lacks);
  assertRefused(await writer.send('GET', '/me/organizations'), lacks);
});

test('a resource of another organization is 403, an unknown one is 404', async () => {
  const other = await app.place();
  const [foreign, { id }] = [await monitorIn(other, 'Foreign'), await monitorIn(place, 'Gone')];
  await app.alice.ok('DELETE', `/monitors/${id}`);
  const [robot, unscoped] = [await holder(), await holder({ scopes: ['webhooks:read'] })];
  const forbidden = { status: 403, error: 'forbidden' };
  const unknown = { status: 404, error: 'not_found' };
  for (const client of [robot, unscoped]) {
    assertRefused(await client.send('GET', `/monitors/${foreign.id}`), forbidden);
    assertRefused(await client.send('GET', `/projects/${other.projectId}/monitors`), forbidden);
    assertRefused(await client.send('GET', `/organizations/${other.orgId}/projects`), forbidden);
    for (const missing of [id, 'mon_x'])
      assertRefused(await client.send('GET', `/monitors/${missing}`), unknown);
  }
});

test('a key sees its own organization, without a role', async () => {
  const robot = await holder();
  const [own, ...rest] = await robot.ok<{ id: string; role: string | null }[]>('GET', '/me/organizations');
  assert.deepEqual([own?.id, own?.role, rest], [place.orgId, null, []]);
});

test('a key outlives the account that created it', async () => {
  const admin = await app.person('admin', { [place.orgId]: 'admin' });
  const robot = await makeKeyHolder(app, admin, place.orgId, { scopes: ['monitors:write'], name: 'Orphan' });
  await app.db.deleteFrom('users').where('id', '=', admin.userId).execute();
  const list = await app.alice.ok<ApiKey[]>('GET', keys);
  assert.equal(list.find(({ id }) => id === robot.id)?.created_by_name, null);
  const body = { name: 'Made by a key', type: 'http', config: { url: 'https://shop.example.com/' } };
  const { id } = await robot.ok<{ id: string }>('POST', `/projects/${place.projectId}/monitors`, body);
  const [entry] = await activityOf(id);
  assert.deepEqual(
    [entry?.actor_kind, entry?.actor_id, entry?.actor_name, entry?.address],
    ['key', robot.id, 'Orphan', '127.0.0.1'],
  );
});

test('an acknowledgement by a key is recorded under the name of the key, without an e-mail address', async () => {
  const monitor = await monitorIn(place, 'Acknowledged');
  for (let i = 0; i < 2; i++) {
    app.clock.advance(1000);
    await app.probe().says(monitor.id, 'down');
  }
  const [opened] = await app.alice.ok<IncidentSummary[]>('GET', `/monitors/${monitor.id}/incidents`);
  const incident = `/organizations/${place.orgId}/incidents/${opened?.id}`;
  const robot = await holder({ name: 'Night robot', scopes: ['incidents:write'] });
  const acknowledged = await robot.ok<IncidentDetail>('POST', `${incident}/ack`);
  assert.deepEqual(
    [acknowledged.lifecycle_state, acknowledged.acknowledged_at_unix, acknowledged.commander_email],
    ['acknowledged', now(), null],
  );
  assert.equal(acknowledged.acknowledged_by_email, null);
  await robot.ok('POST', `${incident}/resolve`);
  const timeline = await robot.ok<TimelineEntry[]>('GET', `${incident}/timeline`);
  assert.deepEqual(
    // There is no mail server: the administrators' mails fail beside it.
    timeline
      .filter(({ kind }) => kind !== 'delivery_failed')
      .map(({ kind, actor_name }) => [kind, actor_name]),
    [
      ['opened', null],
      // Nobody is on duty: the administrators are rung for.
      ['paged', 'Admin'],
      ['acknowledged', 'Night robot'],
      ['resolved', 'Night robot'],
    ],
  );
  const entries = await activityOf(opened?.id ?? '');
  assert.deepEqual(
    entries.map(({ action, actor_kind, actor_id, actor_name }) => [action, actor_kind, actor_id, actor_name]),
    [
      ['incident.acknowledge', 'key', robot.id, 'Night robot'],
      ['incident.resolve', 'key', robot.id, 'Night robot'],
    ],
  );
});

test('a stream opened with a key ends at the next check after its revocation or expiry', async () => {
  const revoked = await holder();
  const expiring = await holder({ expires_at_unix: now() + 3600 });
  const staying = await holder();
  const stream = await openEventStream(`${app.url}/organizations/${place.orgId}/events`, staying.headers);
  try {
    const url = `${app.url}/organizations/${place.orgId}/events`;
    const checks = await Promise.all([
      checksUntilEnd(url, revoked.headers, staying.headers, () =>
        app.alice.ok('DELETE', `${keys}/${revoked.id}`),
      ),
      checksUntilEnd(url, expiring.headers, staying.headers, () => app.clock.advance(3_600_000)),
    ]);
    assert.ok(Math.max(...checks) <= MAX_STREAM_CHECKS, `${checks.join(' and ')} checks`);
    const { id } = await monitorIn(place, 'Still told');
    await stream.next(({ data }) => data.monitor_id === id);
  } finally {
    stream.stop();
  }
});

test('a key has at most 20 streams, like a person', async () => {
  const [robot, other] = [await holder(), await holder()];
  const url = `${app.url}/organizations/${place.orgId}/events`;
  const streams = await Promise.all(Array.from({ length: 20 }, () => openEventStream(url, robot.headers)));
  try {
    const answer = await robot.send('GET', `/organizations/${place.orgId}/events`);
    assertRefused(answer, { status: 429, error: 'rate_limited' });
    streams.push(await openEventStream(url, other.headers));
  } finally {
    for (const stream of streams) stream.stop();
  }
});

test('a key appears in no log line and in no answer, whatever fails', async () => {
  const lines: string[] = [];
  const log = createLog('trace', false, (line) => lines.push(line));
  await using logged = await startTestApp({ log });
  const { orgId, projectId } = logged.home;
  const robot = await makeKeyHolder(logged, logged.alice, orgId, {
    scopes: ['monitors:write', 'projects:read'],
  });
  const mistyped = clientWithKey(logged.url, `${robot.key.slice(0, -1)}_`);
  const answers: unknown[] = [];
  const send = async (client: Client, method: string, path: string, body?: unknown, expected?: number) => {
    const answer = await client.send(method, path, body);
    if (expected !== undefined) assert.equal(answer.status, expected, `${method} ${path}`);
    answers.push(answer.body, [...answer.headers]);
  };
  await send(robot, 'GET', `/organizations/${orgId}/projects`, undefined, 200);
  await send(robot, 'GET', `/organizations/${orgId}/api-keys`, undefined, 401);
  await send(robot, 'PATCH', `/projects/${projectId}`, { name: 'No' }, 403);
  await send(robot, 'POST', `/projects/${projectId}/monitors`, { name: robot.key }, 400);
  await send(mistyped, 'GET', `/organizations/${orgId}/projects`, undefined, 401);
  await send(robot, 'GET', `/organizations/${orgId}/projects?key=${robot.key}`, undefined, 400);
  await send(logged.alice, 'GET', `/organizations/${orgId}/api-keys`, undefined, 200);
  await send(logged.alice, 'GET', `/organizations/${orgId}/activity`, undefined, 200);
  await sql`ALTER TABLE projects RENAME TO projects_gone`.execute(logged.db);
  await send(robot, 'GET', `/organizations/${orgId}/projects?key=${robot.key}`, undefined, 400);
  await send(robot, 'GET', `/organizations/${orgId}/projects`, undefined, 500);
  await sql`ALTER TABLE api_keys RENAME TO api_keys_gone`.execute(logged.db);
  await send(robot, 'GET', `/organizations/${orgId}/projects`, undefined, 500);
  assert.equal(lines.filter((line) => line.includes('request failed')).length, 2);
  const hash = hashToken(robot.key);
  const everything = `${lines.join('')}${JSON.stringify(answers)}`;
  for (const secret of [robot.key.slice(8, 24), hash.toString('hex'), hash.toString('base64')])
    assert.ok(!everything.includes(secret));
});
