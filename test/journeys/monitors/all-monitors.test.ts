// The monitors of all projects over HTTP: tags, one list with filters, and changes of many at once
// (docs/rules/monitor-types.md#monitors-of-all-projects).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { ListedMonitor, MonitorAnswer } from '#src/monitors/all/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Answer } from '#test/harness/client.ts';
import { makeKeyHolder } from '#test/harness/keys.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

let made = 0;
const create = (projectId: string, fields: Record<string, unknown> = {}) => {
  made += 1;
  const body = {
    name: `Monitor ${made}`,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    ...fields,
  };
  return app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, body);
};
const list = (orgId: string, query = '') =>
  app.alice.ok<ListedMonitor[]>('GET', `/organizations/${orgId}/monitors${query}`);
const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);
const bulk = (orgId: string, body: unknown) =>
  app.alice.ok<MonitorAnswer[]>('POST', `/organizations/${orgId}/monitors/bulk`, body);
const done = (answers: readonly MonitorAnswer[]) =>
  answers.map(({ done, refusal }) => (done ? 'done' : refusal?.error));

/** An organization with two projects and three monitors. */
async function scene() {
  const { orgId, projectId } = await app.place();
  const other = await app.alice.ok<{ id: string }>('POST', `/organizations/${orgId}/projects`, {
    name: 'Other',
  });
  const shop = await create(projectId, { name: 'Shop', tags: ['Prod', 'shop'] });
  const mail = await create(other.id, {
    name: 'Mail',
    type: 'mail',
    config: { protocol: 'smtp', host: 'mx.example.com', port: 2525 },
    tags: ['prod'],
  });
  const night = await create(other.id, {
    name: 'a night job',
    type: 'heartbeat',
    config: { schedule: { kind: 'period', period_seconds: 3600 } },
  });
  return { orgId, projectId, otherId: other.id, shop, mail, night };
}

test('tags are lower-cased, read back, and stay when other fields change', async () => {
  const { shop } = await scene();
  assert.deepEqual(shop.tags, ['prod', 'shop']);
  const renamed = await app.alice.ok<Monitor>('PATCH', `/monitors/${shop.id}`, { name: 'Shop 2' });
  assert.deepEqual(renamed.tags, ['prod', 'shop']);
  const without = await app.alice.ok<Monitor>('PATCH', `/monitors/${shop.id}`, { tags: [] });
  assert.deepEqual(without.tags, []);
  const refused = await app.alice.send('PATCH', `/monitors/${shop.id}`, { tags: ['a,b'] });
  assert.deepEqual([refused.status, (refused.body as { field: string }).field], [400, 'tags']);
});

test('one list has the monitors of all projects, each in brief', async () => {
  const { orgId, projectId, otherId, shop } = await scene();
  const rows = await list(orgId);
  assert.deepEqual(names(rows), ['a night job', 'Mail', 'Shop']);
  assert.deepEqual(
    rows.map(({ project_id, target, state }) => [project_id, target, state]),
    [
      [otherId, null, 'pending'],
      [otherId, 'mx.example.com:2525', 'pending'],
      [projectId, 'https://shop.example.com/', 'pending'],
    ],
  );
  const { config: _config, policy: _policy, slug: _slug, ...short } = shop;
  const {
    alarm_gate: _gate,
    depends_on: _depends,
    disabled_reason: _reason,
    last_severity: _severity,
    ...kept
  } = short;
  assert.deepEqual(rows[2], { ...kept, state: 'pending', target: 'https://shop.example.com/' });
});

test('the list is filtered by project, type, tag, state and text, and sorted by name', async () => {
  const { orgId, otherId, mail } = await scene();
  const found = async (query: string) => names(await list(orgId, query));
  assert.deepEqual(await found(`?project_id=${otherId}`), ['a night job', 'Mail']);
  assert.deepEqual(await found('?type=mail'), ['Mail']);
  assert.deepEqual(await found('?tag=PROD'), ['Mail', 'Shop']);
  assert.deepEqual(await found('?search=MX.example'), ['Mail']);
  assert.deepEqual(await found('?search=prod%20MAIL'), ['Mail']);
  assert.deepEqual(await found('?search=%25'), []);
  assert.deepEqual(await found('?search=shop&type=http'), ['Shop']);
  assert.deepEqual(await found('?sort=name'), ['a night job', 'Mail', 'Shop']);
  await app.alice.ok('PATCH', `/monitors/${mail.id}`, { enabled: false });
  assert.deepEqual(await found('?state=paused'), ['Mail']);
  assert.deepEqual(await found('?state=pending'), ['a night job', 'Shop']);
});

test('each sort order comes in consistent pages', async () => {
  const { orgId } = await scene();
  for (const sort of ['newest', 'name']) {
    const seen: string[] = [];
    let path: string | null = `/organizations/${orgId}/monitors?sort=${sort}&limit=2`;
    while (path !== null) {
      const answer: Answer<ListedMonitor[]> = await app.alice.send('GET', path);
      seen.push(...names(answer.body));
      path = /<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
    }
    assert.deepEqual(seen, names(await list(orgId, `?sort=${sort}`)));
  }
});

test('the status in the list is the one that the results produced', async () => {
  const { orgId, projectId } = await app.place();
  const monitor = await create(projectId);
  const probe = app.probe();
  await probe.says(monitor.id, 'up');
  assert.deepEqual(
    (await list(orgId, '?state=passed')).map(({ id }) => id),
    [monitor.id],
  );
  app.clock.advance(3_600_000);
  assert.deepEqual(await list(orgId, '?state=passed'), []);
  assert.deepEqual(
    (await list(orgId, '?state=no_data')).map(({ id }) => id),
    [monitor.id],
  );
});

test('many monitors are paused, resumed, tagged, given a profile and deleted at once', async () => {
  const { orgId, shop, mail, night } = await scene();
  const ids = [night.id, shop.id, mail.id];
  const read = (id: string) => app.alice.ok<Monitor>('GET', `/monitors/${id}`);
  assert.deepEqual(done(await bulk(orgId, { monitor_ids: ids, action: 'pause' })), ['done', 'done', 'done']);
  assert.deepEqual(
    (await list(orgId)).map(({ enabled }) => enabled),
    [false, false, false],
  );
  await bulk(orgId, { monitor_ids: ids.slice(1), action: 'resume' });
  assert.deepEqual(
    (await list(orgId)).map(({ enabled }) => enabled),
    [false, true, true],
  );
  await bulk(orgId, { monitor_ids: ids, action: 'add_tags', tags: ['Core', 'prod'] });
  assert.deepEqual((await read(shop.id)).tags, ['prod', 'shop', 'core']);
  assert.deepEqual((await read(night.id)).tags, ['core', 'prod']);
  await bulk(orgId, { monitor_ids: ids, action: 'remove_tags', tags: ['PROD'] });
  assert.deepEqual((await read(shop.id)).tags, ['shop', 'core']);
  const profile = await app.alice.ok<{ id: string }>('POST', `/organizations/${orgId}/alert-profiles`, {
    name: 'Calm',
    alarm_consecutive: 5,
  });
  const set = { monitor_ids: ids, action: 'set_profile' };
  assert.deepEqual(done(await bulk(orgId, { ...set, alert_profile_id: profile.id })), [
    'done',
    'done',
    'done',
  ]);
  assert.equal((await read(mail.id)).policy?.effective_alarm.alarm_consecutive, 5);
  await bulk(orgId, { ...set, alert_profile_id: null });
  assert.equal((await read(mail.id)).policy?.alert_profile_id, null);
  await bulk(orgId, { monitor_ids: ids.slice(0, 2), action: 'delete' });
  assert.deepEqual(names(await list(orgId)), ['Mail']);
});

test('a monitor that cannot be changed says why, and the others are', async () => {
  const { orgId, shop, mail } = await scene();
  const elsewhere = await scene();
  await app.alice.ok('PATCH', `/monitors/${shop.id}`, {
    tags: Array.from({ length: 20 }, (_, i) => `t${i}`),
  });
  const answers = await bulk(orgId, {
    monitor_ids: [shop.id, 'mon_unknown', elsewhere.shop.id, mail.id],
    action: 'add_tags',
    tags: ['one more'],
  });
  assert.deepEqual(done(answers), ['invalid_request', 'not_found', 'not_found', 'done']);
  assert.match(answers[0]?.refusal?.message ?? '', /at most 20/);
  assert.deepEqual((await app.alice.ok<Monitor>('GET', `/monitors/${mail.id}`)).tags, ['prod', 'one more']);
  assert.deepEqual((await app.alice.ok<Monitor>('GET', `/monitors/${elsewhere.shop.id}`)).tags, [
    'prod',
    'shop',
  ]);
});

test('a monitor moves to another project with its incidents; one whose name exists there stays behind', async () => {
  const { orgId, projectId, otherId, shop, night } = await scene();
  const incident = await app.alice.ok<{ id: string }>('POST', `/organizations/${orgId}/incidents`, {
    monitor_id: shop.id,
    cause: 'By hand',
    severity: 'critical',
  });
  const twin = await create(otherId, { name: 'Twin' });
  const original = await create(projectId, { name: 'Twin' });
  const answers = await bulk(orgId, {
    monitor_ids: [shop.id, original.id, night.id],
    action: 'move',
    project_id: otherId,
  });
  assert.deepEqual(done(answers), ['done', 'name_taken', 'done']);
  const moved = await app.alice.ok<Monitor>('GET', `/monitors/${shop.id}`);
  assert.deepEqual([moved.project_id, moved.slug], [otherId, 'shop']);
  assert.deepEqual(names(await list(orgId, `?project_id=${projectId}`)), ['Twin']);
  const open = await app.alice.ok<IncidentSummary[]>('GET', `/organizations/${orgId}/incidents`);
  assert.deepEqual(
    open.map(({ id, project_name }) => [id, project_name]),
    [[incident.id, 'Other']],
  );
  await app.alice.ok('PATCH', `/monitors/${twin.id}`, { name: 'Twin of before' });
  await bulk(orgId, { monitor_ids: [original.id], action: 'move', project_id: otherId });
  assert.equal((await app.alice.ok<Monitor>('GET', `/monitors/${original.id}`)).slug, 'twin-2');
});

test('no monitor gets a profile of another organization', async () => {
  const { orgId, shop } = await scene();
  const elsewhere = await scene();
  const { id } = await app.alice.ok<{ id: string }>(
    'POST',
    `/organizations/${elsewhere.orgId}/alert-profiles`,
    {
      name: 'Foreign',
      alarm_consecutive: 5,
    },
  );
  const body = { monitor_ids: [shop.id], action: 'set_profile', alert_profile_id: id };
  assert.deepEqual(done(await bulk(orgId, body)), ['invalid_request']);
});

test('fields that do not belong to the action are refused, and so is another organization’s project', async () => {
  const { orgId, shop } = await scene();
  const elsewhere = await scene();
  const refused = async (body: Record<string, unknown>) => {
    const path = `/organizations/${orgId}/monitors/bulk`;
    const answer = await app.alice.send<{ field?: string }>('POST', path, {
      monitor_ids: [shop.id],
      ...body,
    });
    return [answer.status, answer.body.field];
  };
  assert.deepEqual(await refused({ action: 'pause', tags: ['a'] }), [400, 'tags']);
  assert.deepEqual(await refused({ action: 'move' }), [400, 'project_id']);
  assert.deepEqual(await refused({ action: 'move', project_id: elsewhere.projectId }), [400, 'project_id']);
  assert.deepEqual(await refused({ action: 'add_tags' }), [400, 'tags']);
  assert.deepEqual(await refused({ action: 'explode' }), [400, 'action']);
});

test('a narrowed key lists and changes only its own monitors', async () => {
  const { orgId, projectId, otherId, shop, mail } = await scene();
  const narrow = await makeKeyHolder(app, app.alice, orgId, {
    scopes: ['monitors:write'],
    project_ids: [projectId],
  });
  const path = `/organizations/${orgId}/monitors`;
  assert.deepEqual(names(await narrow.ok<ListedMonitor[]>('GET', path)), ['Shop']);
  const answers = await narrow.ok<MonitorAnswer[]>('POST', `${path}/bulk`, {
    monitor_ids: [mail.id, shop.id],
    action: 'pause',
  });
  assert.deepEqual(done(answers), ['not_found', 'done']);
  const moved = await narrow.send('POST', `${path}/bulk`, {
    monitor_ids: [shop.id],
    action: 'move',
    project_id: otherId,
  });
  assert.equal(moved.status, 403);
});
