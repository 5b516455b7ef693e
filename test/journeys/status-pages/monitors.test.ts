// Which monitors a status page shows (docs/rules/status-pages.md#settings).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { ListedStatusPage, StatusPageDetail } from '#src/status-pages/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { newMonitor, newPage, readPage } from '#test/harness/status-page.ts';

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
});

const put = (page: { id: string }, monitors: unknown) =>
  app.alice.send<StatusPageDetail>('PUT', `/status-pages/${page.id}/monitors`, { monitors });

test('a list is replaced as a whole, with defaults, in its order', async () => {
  const page = await newPage(app.alice, place);
  const [shop, api] = [await newMonitor(app.alice, place, 'Shop'), await newMonitor(app.alice, place, 'API')];
  const { name: project } = (
    await app.alice.ok<{ id: string; name: string }[]>('GET', `/organizations/${place.orgId}/projects`)
  ).find(({ id }) => id === place.projectId)!;
  const plain = { show_sparkline: true, show_uptime_bars: true, show_uptime_chart: true };
  const first = await put(page, [
    { monitor_id: api.id, display_name: ' Interface ', group_label: 'EU', uptime_window_days: 30 },
    { monitor_id: shop.id, display_name: '', group_label: null, show_sparkline: false },
  ]);
  assert.equal(first.status, 200);
  assert.deepEqual(first.body.monitors, [
    {
      ...{ monitor: api.id, label: 'Interface', display_name: 'Interface', group_label: 'EU', project },
      ...{ ...plain, sort_order: 0, uptime_window_days: 30, by_tag: false },
    },
    {
      ...{ monitor: shop.id, label: 'Shop', display_name: null, group_label: null, project },
      ...{ ...plain, show_sparkline: false, sort_order: 1, uptime_window_days: 90, by_tag: false },
    },
  ]);
  assert.deepEqual(await readPage(app.alice, page), first.body);
  const ordered = await put(page, [
    { monitor_id: shop.id, sort_order: 7 },
    { monitor_id: api.id, sort_order: -3 },
  ]);
  assert.deepEqual(
    ordered.body.monitors.map(({ monitor, label, sort_order }) => [monitor, label, sort_order]),
    [
      [api.id, 'API', -3],
      [shop.id, 'Shop', 7],
    ],
  );
  assert.deepEqual((await put(page, [])).body.monitors, []);
  const [entry] = await app.alice.ok<ActivityEntry[]>(
    'GET',
    `/organizations/${place.orgId}/activity?action=status_page.set_monitors`,
  );
  assert.deepEqual(
    [entry?.before, entry?.after],
    [
      { monitors: ordered.body.monitors, tags: [] },
      { monitors: [], tags: [] },
    ],
  );
});

test('a monitor that is repeated, unknown, or of another organization is refused with its index', async () => {
  const page = await newPage(app.alice, place);
  const shop = await newMonitor(app.alice, place, 'Twice');
  const foreign = await newMonitor(app.alice, await app.place(), 'Foreign');
  const kept = (await put(page, [{ monitor_id: shop.id }])).body.monitors;
  const refused = (field: string) => ({ status: 400, error: 'invalid_request', field });
  for (const [monitors, field] of [
    [[{ monitor_id: shop.id }, { monitor_id: shop.id }], 'monitors.1.monitor_id'],
    [[{ monitor_id: foreign.id }], 'monitors.0.monitor_id'],
    [[{ monitor_id: shop.id }, { monitor_id: 'mon_nothing' }], 'monitors.1.monitor_id'],
    [[{ monitor_id: '' }], 'monitors.0.monitor_id'],
    [[{}], 'monitors.0.monitor_id'],
    [[{ monitor_id: shop.id, uptime_window_days: 31 }], 'monitors.0.uptime_window_days'],
    [[{ monitor_id: shop.id, sort_order: 2 ** 31 }], 'monitors.0.sort_order'],
    [[{ monitor_id: shop.id, sort_order: 0.5 }], 'monitors.0.sort_order'],
    [[{ monitor_id: shop.id, display_name: 'x'.repeat(201) }], 'monitors.0.display_name'],
    [[{ monitor_id: shop.id, display_name: 'two\nlines' }], 'monitors.0.display_name'],
    [[{ monitor_id: shop.id, group_label: 'a\u2028b' }], 'monitors.0.group_label'],
    [[{ monitor_id: shop.id, label: 'Shop' }], 'monitors.0.label'],
    [Array.from({ length: 201 }, () => ({ monitor_id: shop.id })), 'monitors'],
    ['all', 'monitors'],
  ] as const)
    assertRefused(await put(page, monitors), refused(field), JSON.stringify(monitors).slice(0, 100));
  assert.deepEqual((await readPage(app.alice, page)).monitors, kept);
});

test('200 monitors fit on a page', async () => {
  const page = await newPage(app.alice, place);
  const ids: string[] = [];
  for (let i = 0; i < 200; i++) ids.push((await newMonitor(app.alice, place, `Host ${i}`)).id);
  const answer = await put(
    page,
    ids.map((monitor_id) => ({ monitor_id })),
  );
  assert.deepEqual(
    answer.body.monitors.map(({ monitor }) => monitor),
    ids,
  );
});

test('a deleted monitor is gone from the page, and can be deleted while a list with it is written', async () => {
  const page = await newPage(app.alice, place);
  const [one, two] = [await newMonitor(app.alice, place, 'One'), await newMonitor(app.alice, place, 'Two')];
  const list = [{ monitor_id: one.id }, { monitor_id: two.id }];
  await put(page, list);
  const [written, deleted] = await Promise.all([
    put(page, list),
    app.alice.send('DELETE', `/monitors/${one.id}`),
  ]);
  assert.equal(deleted.status, 204);
  assert.ok([200, 400].includes(written.status), JSON.stringify(written.body));
  const { monitors } = await readPage(app.alice, page);
  assert.deepEqual(
    monitors.map(({ monitor }) => monitor),
    [two.id],
  );
});

test('the list of pages counts the monitors of each, without deleted ones', async () => {
  const page = await newPage(app.alice, place);
  const shop = await newMonitor(app.alice, place, 'Counted');
  const api = await newMonitor(app.alice, place, 'Counted too');
  const counted = async () => {
    const pages = await app.alice.ok<ListedStatusPage[]>('GET', `/organizations/${place.orgId}/status-pages`);
    return pages.find(({ id }) => id === page.id)?.monitor_count;
  };
  assert.equal(await counted(), 0);
  await put(page, [{ monitor_id: shop.id }, { monitor_id: api.id }]);
  assert.equal(await counted(), 2);
  await app.alice.ok('DELETE', `/monitors/${api.id}`);
  assert.equal(await counted(), 1);
});

test('a page shows the monitors of its tags after its own, and follows the tags', async () => {
  const page = await newPage(app.alice, place);
  const own = await newMonitor(app.alice, place, 'Own');
  const [b, a] = [await newMonitor(app.alice, place, 'Tag B'), await newMonitor(app.alice, place, 'Tag A')];
  const tag = async (monitor: { id: string }, tags: string[]) => {
    await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { tags });
    await app.runTask('status_page_tags', { org_id: place.orgId });
  };
  const shown = async () =>
    (await readPage(app.alice, page)).monitors.map(
      ({ label, by_tag }) => `${label}${by_tag ? ' by tag' : ''}`,
    );
  await tag(b, ['shown']);
  await tag(own, ['shown']);
  const foreign = await app.place();
  await app.alice.ok('PATCH', `/monitors/${(await newMonitor(app.alice, foreign, 'Foreign')).id}`, {
    tags: ['shown'],
  });
  const body = { monitors: [{ monitor_id: own.id }], tags: ['Shown'] };
  const set = await app.alice.ok<StatusPageDetail>('PUT', `/status-pages/${page.id}/monitors`, body);
  assert.deepEqual(set.tags, ['shown']);
  assert.deepEqual(await shown(), ['Own', 'Tag B by tag']);
  await tag(a, ['shown']);
  assert.deepEqual(await shown(), ['Own', 'Tag A by tag', 'Tag B by tag']);
  // A list that says nothing of tags leaves them.
  await put(page, []);
  assert.deepEqual(await shown(), ['Own by tag', 'Tag A by tag', 'Tag B by tag']);
  await tag(a, []);
  assert.deepEqual(await shown(), ['Own by tag', 'Tag B by tag']);
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, { monitors: [], tags: [] });
  assert.deepEqual(await shown(), []);
});

test('a page that is full shows the next monitor of its tags when one is deleted', async () => {
  const page = await newPage(app.alice, place);
  const monitors = [];
  for (const name of ['Crane A', 'Crane B', 'Crane C']) {
    const monitor = await newMonitor(app.alice, place, name);
    await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { tags: ['cranes'] });
    monitors.push(monitor);
  }
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, { monitors: [], tags: ['cranes'] });
  // As if it were full: there was no room for the last one.
  await sql`DELETE FROM status_page_monitors x USING monitors m
    WHERE x.status_page_id = ${page.id} AND m.no = x.monitor_no AND m.name = 'Crane C'`.execute(app.db);
  await sql`DELETE FROM graphile_worker._private_jobs`.execute(app.db);
  await app.alice.ok('DELETE', `/monitors/${monitors[0]!.id}`);
  const { rows } = await sql`
    SELECT FROM graphile_worker.jobs WHERE key = ${`status_page_tags:${place.orgId}`}`.execute(app.db);
  assert.equal(rows.length, 1, 'its pages are filled again');
  await app.runTask('status_page_tags', { org_id: place.orgId });
  const { monitors: shown } = await readPage(app.alice, page);
  assert.deepEqual(
    shown.map(({ label }) => label),
    ['Crane B', 'Crane C'],
  );
});

test('a monitor that a page shows by tag moves to its place in the order of names when it is renamed', async () => {
  const page = await newPage(app.alice, place);
  const [first, second] = [
    await newMonitor(app.alice, place, 'Berth A'),
    await newMonitor(app.alice, place, 'Berth B'),
  ];
  for (const { id } of [first, second]) await app.alice.ok('PATCH', `/monitors/${id}`, { tags: ['berths'] });
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, { monitors: [], tags: ['berths'] });
  await sql`DELETE FROM graphile_worker._private_jobs`.execute(app.db);
  await app.alice.ok('PATCH', `/monitors/${first.id}`, { name: 'Berth C' });
  const key = `status_page_tags:${place.orgId}`;
  const { rows: jobs } = await sql`SELECT key FROM graphile_worker.jobs WHERE key = ${key}`.execute(app.db);
  assert.deepEqual(jobs, [{ key }]);
  await app.runTask('status_page_tags', { org_id: place.orgId });
  const labels = (await readPage(app.alice, page)).monitors.map(({ label }) => label);
  assert.deepEqual(labels, ['Berth B', 'Berth C']);
});
