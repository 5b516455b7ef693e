// The activity log (docs/rules/access.md#activity-log): every write, in its own transaction, readable by admins, without
// secrets.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import type { ActivityEntry } from '#src/activity/contract.ts';
import { type ActivityFilter, listActivity } from '#src/activity/list.ts';
import type { DB } from '#src/platform/db/tables.ts';
import type { ResourceFilter } from '#src/platform/http/caller.ts';
import { newId } from '#src/platform/ids.ts';
import { hashToken } from '#src/platform/secrets.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { makeKeyHolder } from '#test/harness/keys.ts';
import { startReceiver } from '#test/harness/receiver.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

const unixNow = () => Math.floor(app.clock.ms() / 1000);
const logOf = ({ orgId }: Place) => `/organizations/${orgId}/activity`;
const entries = (place: Place, query = '') => app.alice.ok<ActivityEntry[]>('GET', `${logOf(place)}${query}`);
const actionsOf = (list: ActivityEntry[]) => list.map(({ action, resource }) => `${action} ${resource.name}`);

type Project = { id: string };
const createProject = ({ orgId }: Place, name: string) =>
  app.alice.ok<Project>('POST', `/organizations/${orgId}/projects`, { name });
const createMonitor = ({ projectId }: Place, name: string) => {
  const body = { name, type: 'http', config: { url: 'https://shop.example.com/' } };
  return app.alice.ok<{ id: string }>('POST', `/projects/${projectId}/monitors`, body);
};

test('an entry has the actor, action, resource, time and origin, and the values before and after', async () => {
  const place = await app.place();
  const project = await createProject(place, 'Blog');
  app.clock.advance(5000);
  await app.alice.ok('PATCH', `/projects/${project.id}`, { name: 'Journal' });
  const [entry] = await entries(place);
  const shown = { id: project.id, organization_id: place.orgId, slug: 'blog' };
  assert.deepEqual(entry, {
    id: entry?.id,
    at_unix: unixNow(),
    actor: { kind: 'user', id: app.alice.userId, name: entry?.actor.name },
    action: 'project.rename',
    resource: { kind: 'project', id: project.id, name: 'Journal', monitor_name: null },
    address: '127.0.0.1',
    before: { ...shown, name: 'Blog' },
    after: { ...shown, name: 'Journal' },
  });
  assert.match(entry.id, /^act_/);
});

test('entries are listed newest first and filtered by actor, action, resource and time', async () => {
  const place = await app.place();
  const robot = await makeKeyHolder(app, app.alice, place.orgId, { scopes: ['projects:write'] });
  const monitor = await createMonitor(place, 'Cart');
  app.clock.advance(10_000);
  const from = unixNow();
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { name: 'Basket' });
  const made = await robot.ok<Project>('POST', `/organizations/${place.orgId}/projects`, {
    name: 'Monitored',
  });
  app.clock.advance(10_000);
  const to = unixNow();
  await app.alice.ok('DELETE', `/monitors/${monitor.id}`);

  const ofMonitor = ['monitor.delete Basket', 'monitor.update Basket', 'monitor.create Cart'];
  const queries: [string, string[]][] = [
    ['?action=monitor', ofMonitor],
    ['?action=monitor.update', ['monitor.update Basket']],
    ['?action=moni', []],
    ['?action=monitor.', []],
    ['?action=%25', []],
    [`?resource_id=${monitor.id}`, ofMonitor],
    ['?resource_kind=monitor', ofMonitor],
    ['?actor_kind=key', ['project.create Monitored']],
    [`?actor_id=${robot.id}`, ['project.create Monitored']],
    [`?actor_id=${app.alice.userId}&action=project`, ['project.create Shop']],
    [`?from_unix=${to}`, ['monitor.delete Basket']],
    [`?from_unix=${from}&to_unix=${to}`, ['project.create Monitored', 'monitor.update Basket']],
    [`?to_unix=${from}&action=monitor`, ['monitor.create Cart']],
    [`?resource_kind=project&resource_id=${made.id}&actor_kind=key`, ['project.create Monitored']],
    ['?actor_kind=system', []],
    [`?resource_id=${newId('mon')}`, []],
  ];
  for (const [query, expected] of queries)
    assert.deepEqual(actionsOf(await entries(place, query)), expected, query);
  const all = actionsOf(await entries(place));
  assert.deepEqual(all.slice(0, 3), [
    'monitor.delete Basket',
    'project.create Monitored',
    'monitor.update Basket',
  ]);
});

test('pages have no gaps, even between entries of the same instant', async () => {
  const place = await app.place();
  for (let i = 0; i < 7; i++) {
    await createProject(place, `Project ${i}`);
    if (i % 3 === 0) app.clock.advance(1000);
  }
  const whole = await entries(place);
  const paged: ActivityEntry[] = [];
  let next: string | undefined = `${logOf(place)}?limit=2`;
  while (next !== undefined) {
    const answer: { body: ActivityEntry[]; headers: Headers } = await app.alice.send('GET', next);
    paged.push(...answer.body);
    next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  assert.ok(whole.length >= 9);
  assert.deepEqual(paged, whole);
});

test('a page starts only after an entry of the same organization', async () => {
  const [place, other] = [await app.place(), await app.place()];
  const [foreign] = await entries(other);
  for (const before of [foreign?.id, newId('act'), 'act_x', 'x', ''])
    assertRefused(await app.alice.send('GET', `${logOf(place)}?before=${before}`), {
      status: 404,
      error: 'not_found',
    });
  const [mine] = await entries(place);
  assert.ok((await entries(place, `?before=${mine?.id}`)).every(({ id }) => id !== mine?.id));
});

test('entries of one organization are not shown in another', async () => {
  const [place, other] = [await app.place(), await app.place()];
  const monitor = await createMonitor(other, 'Foreign');
  const filters = ['', `?resource_id=${monitor.id}`, '?action=monitor', `?actor_id=${app.alice.userId}`];
  for (const query of filters)
    assert.ok((await entries(place, query)).every(({ resource }) => resource.id !== monitor.id));
});

test('admins read it, other members do not', async () => {
  const place = await app.place();
  for (const [role, status] of [
    ['owner', 200],
    ['admin', 200],
    ['manager', 403],
    ['member', 403],
  ] as const) {
    const person = await app.person(role, { [place.orgId]: role });
    assert.equal((await person.send('GET', logOf(place))).status, status, role);
  }
  const robot = await makeKeyHolder(app, app.alice, place.orgId, { scopes: ['organization:read'] });
  assert.deepEqual(await robot.ok('GET', logOf(place)), await entries(place));
});

for (const query of [
  '?limit=0',
  '?limit=1001',
  '?actor_kind=robot',
  '?from_unix=-1',
  '?colour=red',
  '?action=%00',
])
  test(`${query} is refused`, async () => {
    const field = /\w+/.exec(query)?.[0] ?? '';
    const answer = await app.alice.send('GET', `${logOf(await app.place())}${query}`);
    assertRefused(answer, { status: 400, error: 'invalid_request', field });
  });

/** The statement that a call of `listActivity` runs, without running it. */
async function statementOf(
  orgId: string,
  filter: ActivityFilter,
  within: ResourceFilter,
): Promise<CompiledQuery> {
  const statements: CompiledQuery[] = [];
  const nowhere = new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => {
      statements.push(query);
    },
  });
  await listActivity(nowhere, orgId, filter, within);
  const [statement] = statements;
  assert.ok(statement);
  return statement;
}

test('the newest entries come from the index, month by month, however long the log is', async () => {
  const [place, other] = [await app.place(), await app.place()];
  for (const { orgId } of [place, other])
    await sql`
      INSERT INTO activity (id, org_id, at, actor_kind, actor_name, action, resource_kind, resource_id)
      SELECT 'act_' || ${orgId} || n, ${orgId}, ${app.clock.now()}::timestamptz + make_interval(mins => n * 10),
        'user', 'Alice', 'monitor.update', 'monitor', 'mon_' || n % 50
      FROM generate_series(1, 8000) n`.execute(app.db);
  await sql`ANALYZE activity`.execute(app.db);
  const filters: [Partial<ActivityFilter>, ResourceFilter][] = [
    [{}, null],
    [{ action: 'monitor', to_unix: unixNow() + 40 * 86_400 }, null],
    [{}, { projectIds: [place.projectId], monitorIds: ['mon_7', 'mon_8', 'mon_9'] }],
  ];
  for (const [filter, within] of filters) {
    const { sql: text, parameters } = await statementOf(
      place.orgId,
      { limit: 100, ...filter, before: null },
      within,
    );
    const explained = CompiledQuery.raw(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...parameters]);
    const { rows } = await app.db.executeQuery<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explained);
    const all = flatten(rows[0]!['QUERY PLAN'][0]!.Plan);
    const nodes = all.filter((node) => node['Relation Name']?.startsWith('activity_'));
    assert.deepEqual([...new Set(nodes.map((node) => node['Node Type']))], ['Index Scan']);
    const read = nodes.map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
    const total = read.reduce((sum, count) => sum + count, 0);
    assert.ok(total < 3000, `${total} of 8000 entries were read`);
  }
});

type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
};
const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

const CERT_PEM = '-----BEGIN CERTIFICATE-----\npublic\n-----END CERTIFICATE-----\n';
const KEY_PEM = '-----BEGIN PRIVATE KEY-----\nclear private key\n-----END PRIVATE KEY-----\n';

test('every write is in the log, without secrets', async () => {
  await using stack = new AsyncDisposableStack();
  const receiver = await startReceiver();
  stack.defer(() => receiver.stop());
  const place = await app.place();
  const org = `/organizations/${place.orgId}`;
  const { alice } = app;
  const project = await createProject(place, 'Secretive');
  await alice.ok('PATCH', `/projects/${project.id}`, { name: 'More secretive' });
  const config = {
    url: 'https://shop.example.com/',
    headers: {
      Authorization: 'clear header',
      Cookie: 'clear=cookie',
      'X-Key': 'clear listed',
      Accept: '*/*',
    },
    secret_headers: ['x-key'],
    auth: { kind: 'basic', username: 'reader', password: 'clear password' },
    tls: { client_cert_pem: CERT_PEM, client_key_pem: KEY_PEM },
  };
  const body = { name: 'Secretive', type: 'http', config };
  const monitor = await alice.ok<{ id: string }>('POST', `/projects/${project.id}/monitors`, body);
  const at = `/monitors/${monitor.id}`;
  await alice.ok('PATCH', at, { config: { auth: { kind: 'bearer', token: 'clear token' } } });
  await alice.ok('PATCH', at, { name: 'Renamed' });
  for (const status of ['down', 'down'] as const) {
    app.clock.advance(1000);
    await app.probe().says(monitor.id, status);
  }
  const [incident] = await alice.ok<{ id: string }[]>('GET', `${at}/incidents`);
  await alice.ok('POST', `${org}/incidents/${incident?.id}/ack`);
  await alice.ok('POST', `${org}/incidents/${incident?.id}/resolve`);
  const target = { name: 'Hook', kind: 'webhook', url: receiver.url, events: ['opened'] };
  const hook = await alice.ok<{ id: string; secret: string }>('POST', `${org}/webhooks`, target);
  const { secret } = await alice.ok<{ secret: string }>('POST', `${org}/webhooks/${hook.id}/rotate-secret`);
  await alice.ok('PATCH', `${org}/webhooks/${hook.id}`, { active: false });
  await alice.ok('POST', `${org}/webhooks/${hook.id}/test`);
  await alice.ok('DELETE', `${org}/webhooks/${hook.id}`);
  const robot = await makeKeyHolder(app, alice, place.orgId, { scopes: ['monitors:write'] });
  await robot.ok('DELETE', at);
  await alice.ok('DELETE', `${org}/api-keys/${robot.id}`);
  await alice.ok('DELETE', `/projects/${project.id}`);

  const list = await entries(place);
  assert.deepEqual(list.map(({ action }) => action).reverse(), [
    'organization.create',
    'project.create',
    'project.create',
    'project.rename',
    'monitor.create',
    'monitor.update',
    'monitor.update',
    'incident.acknowledge',
    'incident.resolve',
    'webhook.create',
    'webhook.rotate_secret',
    'webhook.update',
    'webhook.test',
    'webhook.delete',
    'api_key.create',
    'monitor.delete',
    'api_key.revoke',
    'project.delete',
  ]);
  const { rows } = await sql<{ text: string }>`SELECT activity::text FROM activity`.execute(app.db);
  const everything = `${JSON.stringify(list)}${JSON.stringify(rows)}`;
  const hash = hashToken(robot.key);
  const secrets = [
    'clear',
    'sealed:',
    hook.secret.slice(6, 30),
    secret.slice(6, 30),
    robot.key.slice(8, 30),
    hash.toString('hex'),
    hash.toString('base64'),
  ];
  for (const text of secrets) assert.ok(!everything.includes(text), text);
});

/** Cells of a file without line breaks in them. */
const cellsOf = (file: string) =>
  file
    .split('\r\n')
    .slice(0, -1)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
        quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
      ),
    );

test('the log as CSV has every entry that matches the filters, page after page, and no cell is a formula', async () => {
  const place = await app.place();
  await createProject(place, '=HYPERLINK("https://evil.test")');
  const started = app.clock.now();
  const rows = Array.from({ length: 1203 }, (_, no) => ({
    id: newId('act'),
    at: new Date(started.getTime() + 1000 + no),
    org_id: place.orgId,
    actor_kind: 'system',
    action: 'monitor.update',
    resource_kind: 'monitor',
    resource_id: 'mon_x',
    resource_name: no === 0 ? '@SUM(1,2)' : `M ${no}`,
  }));
  await app.db.insertInto('activity').values(rows).execute();
  const file = async (query = '') => {
    const answer = await fetch(`${app.url}${logOf(place)}.csv${query}`, {
      headers: { cookie: app.alice.cookie() },
    });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.match(answer.headers.get('content-disposition') ?? '', /filename="activity\.csv"/);
    return cellsOf(await answer.text());
  };
  const [head = [], ...lines] = await file();
  assert.deepEqual(head.slice(0, 3), ['id', 'at', 'actor_kind']);
  assert.equal(new Set(lines.map(([id]) => id)).size, lines.length, 'each once');
  const updates = lines.filter((cells) => cells[head.indexOf('action')] === 'monitor.update');
  assert.equal(updates.length, 1203);
  const times = lines.map((cells) => cells[head.indexOf('at')] ?? '');
  assert.deepEqual(times, times.toSorted().reverse(), 'newest first');
  const names = lines.map((cells) => cells[head.indexOf('resource')] ?? '');
  assert.ok(names.includes("'@SUM(1,2)") && names.includes('\'=HYPERLINK("https://evil.test")'));
  assert.ok(lines.flat().every((cell) => !/^[=+@\t\r]/.test(cell)));
  const [, ...projects] = await file('?action=project');
  assert.deepEqual(
    projects.map((cells) => cells[head.indexOf('action')]),
    (await entries(place, '?action=project')).map(({ action }) => action),
  );
  const path = `${logOf(place)}.csv`;
  assertRefused(await app.alice.send('GET', `${path}?before=${rows[0]?.id}`), {
    status: 400,
    error: 'invalid_request',
    field: 'before',
  });
});

test('incidents as CSV equal the list with its page’s filters', async () => {
  const place = await app.place();
  const declare = (cause: string, severity: string) =>
    app.alice.ok<{ id: string }>('POST', `/organizations/${place.orgId}/incidents`, { cause, severity });
  const [fire, flood] = [await declare('Fire, "big"', 'critical'), await declare('Flood', 'default')];
  await app.alice.ok('POST', `/organizations/${place.orgId}/incidents/${flood.id}/resolve`);
  const ids = async (query: string) => {
    const answer = await fetch(`${app.url}/organizations/${place.orgId}/incidents.csv${query}`, {
      headers: { cookie: app.alice.cookie() },
    });
    assert.equal(answer.status, 200);
    return cellsOf(await answer.text())
      .slice(1)
      .map(([id, , , , cause]) => [id, cause]);
  };
  assert.deepEqual(await ids(''), [[fire.id, 'Fire, "big"']]);
  assert.deepEqual((await ids('?status=all')).length, 2);
  assert.deepEqual(await ids('?status=all&text=flo'), [[flood.id, 'Flood']]);
  assert.deepEqual(await ids('?status=all&severity=critical&state=triggered'), [[fire.id, 'Fire, "big"']]);
  assert.deepEqual(await ids('?status=closed&state=discarded'), []);
});
