// Maintenance by tags over HTTP (docs/rules/confirmation.md#windows-of-tags): whatever monitor has the tag at the time is in.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckRecord } from '#src/checks/contract.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { newId } from '#src/platform/ids.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { makeKeyHolder } from '#test/harness/keys.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { speakFor } from '#test/harness/spoken-monitors.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

async function scene() {
  const place: Place = await app.place();
  const driver = speakFor(app, place);
  const path = `/organizations/${place.orgId}/maintenance-windows`;
  const now = () => Math.floor(app.clock.ms() / 1000);
  const plan = (from: number, until: number, more: object) =>
    app.alice.ok<MaintenanceWindow>('POST', path, {
      title: 'Patch day',
      scheduled_start: now() + from,
      scheduled_end: now() + until,
      ...more,
    });
  return {
    place,
    path,
    driver,
    plan,
    read: async (id: string) =>
      (await app.alice.ok<MaintenanceWindow[]>('GET', path)).find((each) => each.id === id) ?? assert.fail(),
    /** Gives a monitor these tags; windows follow in their job. */
    tag: async (monitor: Monitor, tags: string[]) => {
      await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { tags });
      await app.runTask('maintenance_tags', { org_id: place.orgId });
    },
  };
}
const members = ({ monitors }: MaintenanceWindow) =>
  monitors.map(({ name, by_tag }) => `${name}${by_tag ? ' by tag' : ''}`);

test('a window has the monitors of its tags, including those tagged later, until it is over', async () => {
  const { driver, plan, read, tag } = await scene();
  const [named, early, late] = [
    await driver.create({ name: 'Named', tags: ['prod'] }),
    await driver.create({ name: 'Early', tags: ['Prod', 'core'] }),
    await driver.create({ name: 'Late' }),
  ];
  const window = await plan(60, 3660, { monitors: [named.id], tags: [' PROD '] });
  assert.deepEqual([window.tags, members(window)], [['prod'], ['Early by tag', 'Named']]);
  await tag(late, ['prod']);
  assert.deepEqual(members(await read(window.id)), ['Early by tag', 'Late by tag', 'Named']);
  await tag(early, ['core']);
  await tag(named, []);
  assert.deepEqual(members(await read(window.id)), ['Late by tag', 'Named']);
  app.clock.advance(4_000_000);
  await app.runTask('partitions');
  await app.runTask('maintenance', { window_id: window.id });
  await tag(late, []);
  assert.deepEqual(members(await read(window.id)), ['Late by tag', 'Named'], 'what is over stays');
});

test('a monitor tagged during a window is suppressed at once, and opens its incident when the tag is removed', async () => {
  const { driver, plan, read, tag } = await scene();
  const monitor = await driver.create({ name: 'Shop' });
  const window = await plan(0, 3600, { tags: ['prod'] });
  assert.deepEqual(members(window), []);
  await app.runTask('maintenance', { window_id: window.id });
  await tag(monitor, ['prod']);
  assert.deepEqual(members(await read(window.id)), ['Shop by tag']);
  await driver.say(monitor, 'up', 'down', 'down', 'down');
  const open = async () =>
    (await driver.incidentsOf(monitor)).filter(({ status }) => status === 'open').length;
  assert.equal(await open(), 0);
  const [check] = await app.alice.ok<CheckRecord[]>('GET', `/monitors/${monitor.id}/checks`);
  assert.equal(check?.in_maintenance, true);
  const shown = await app.alice.ok<Monitor>('GET', `/monitors/${monitor.id}`);
  assert.equal(shown.in_maintenance_until_unix, window.scheduled_end);
  await tag(monitor, []);
  assert.equal(await open(), 1);
});

test('every occurrence of a window follows its tags, existing and later ones', async () => {
  const { driver, plan, path, tag } = await scene();
  await driver.create({ name: 'Early', tags: ['prod'] });
  const late = await driver.create({ name: 'Late' });
  const repeat = { rrule: 'FREQ=WEEKLY', timezone: 'UTC' };
  const first = await plan(3600, 7200, { tags: ['prod'], repeat });
  await tag(late, ['prod']);
  const all = async () => {
    const windows = await app.alice.ok<MaintenanceWindow[]>('GET', `${path}?limit=1000`);
    return windows.filter(({ series_id }) => series_id === first.series_id);
  };
  const before = await all();
  for (const window of before) assert.deepEqual(members(window), ['Early by tag', 'Late by tag']);
  app.clock.advance(14 * 86_400_000);
  await app.runTask('partitions');
  await app.runTask('maintenance_series', { series_id: first.series_id });
  const after = await all();
  assert.ok(after.length > before.length);
  assert.deepEqual(members(after[0] ?? assert.fail()), ['Early by tag', 'Late by tag']);
  const [next] = after.filter(({ scheduled_start }) => scheduled_start * 1000 > app.clock.ms()).slice(-1);
  await app.alice.ok('PATCH', `${path}/${next?.id}?scope=following`, { tags: [] });
  assert.deepEqual(members((await all())[0] ?? assert.fail()), []);
});

test('a change of the tags of all occurrences leaves each the monitors that are named, and past ones everything', async () => {
  const { driver, plan, path } = await scene();
  const [every, once] = [await driver.create({ name: 'Every' }), await driver.create({ name: 'Once' })];
  await driver.create({ name: 'Tagged', tags: ['prod'] });
  const repeat = { rrule: 'FREQ=WEEKLY', timezone: 'UTC' };
  const first = await plan(3600, 7200, { monitors: [every.id], repeat });
  const all = async () => {
    const windows = await app.alice.ok<MaintenanceWindow[]>('GET', `${path}?limit=1000`);
    return windows.filter(({ series_id }) => series_id === first.series_id).reverse();
  };
  app.clock.advance(8_000_000);
  await app.runTask('partitions');
  const [, second, third] = await all();
  await app.alice.ok('PATCH', `${path}/${second?.id}`, { monitors: [every.id, once.id] });
  await app.alice.ok('PATCH', `${path}/${third?.id}?scope=all`, { tags: ['prod'] });
  const [over, changed, other] = await all();
  assert.deepEqual(
    [over, changed, other].map((window) => [window?.tags, members(window ?? assert.fail())]),
    [
      [[], ['Every']],
      [['prod'], ['Every', 'Once', 'Tagged by tag']],
      [['prod'], ['Every', 'Tagged by tag']],
    ],
  );
  await app.alice.ok('PATCH', `${path}/${second?.id}?scope=all`, { tags: [] });
  assert.deepEqual((await all()).slice(0, 3).map(members), [['Every'], ['Every', 'Once'], ['Every']]);
  app.clock.advance(14 * 86_400_000);
  await app.runTask('partitions');
  await app.runTask('maintenance_series', { series_id: first.series_id });
  assert.deepEqual(members((await all()).at(-1) ?? assert.fail()), ['Every'], 'made later');
});

test('a change of the monitors of all occurrences leaves each those of its own tags', async () => {
  const { driver, plan, path } = await scene();
  const [shop, till] = [await driver.create({ name: 'Shop' }), await driver.create({ name: 'Till' })];
  await driver.create({ name: 'Tagged', tags: ['prod'] });
  const repeat = { rrule: 'FREQ=WEEKLY', timezone: 'UTC' };
  const first = await plan(3600, 7200, { monitors: [shop.id], repeat });
  const all = async () => {
    const windows = await app.alice.ok<MaintenanceWindow[]>('GET', `${path}?limit=1000`);
    return windows.filter(({ series_id }) => series_id === first.series_id).reverse();
  };
  const [, second] = await all();
  await app.alice.ok('PATCH', `${path}/${second?.id}`, { tags: ['prod'] });
  await app.alice.ok('PATCH', `${path}/${first.id}?scope=all`, { monitors: [till.id] });
  assert.deepEqual((await all()).slice(0, 3).map(members), [['Till'], ['Tagged by tag', 'Till'], ['Till']]);
});

test('a window can be sent back as read, and naming a monitor keeps it without the tag', async () => {
  const { driver, plan, path, tag } = await scene();
  const shop = await driver.create({ name: 'Shop', tags: ['prod'] });
  const window = await plan(60, 3660, { tags: ['prod'] });
  const same = await app.alice.ok<MaintenanceWindow>('PATCH', `${path}/${window.id}`, window);
  assert.deepEqual(same, window);
  const ids = window.monitors.map(({ id }) => id);
  assert.deepEqual(
    members(await app.alice.ok('PATCH', `${path}/${window.id}`, { monitors: ids })),
    ['Shop by tag'],
    'ids alone say nothing new',
  );
  const named = { monitors: [{ id: shop.id, by_tag: false }] };
  assert.deepEqual(members(await app.alice.ok('PATCH', `${path}/${window.id}`, named)), ['Shop']);
  await tag(shop, []);
  const kept = await app.alice.ok<MaintenanceWindow>('PATCH', `${path}/${window.id}`, { tags: [] });
  assert.deepEqual([kept.tags, members(kept)], [[], ['Shop']]);
});

test('a window that is over keeps its monitors when it is sent back with another title, whatever tags they have by now', async () => {
  const { driver, plan, path, tag } = await scene();
  const [member, stranger] = [
    await driver.create({ name: 'Member', tags: ['prod'] }),
    await driver.create({ name: 'Stranger' }),
  ];
  const window = await plan(60, 3660, { tags: ['prod'] });
  app.clock.advance(4_000_000);
  await app.runTask('partitions');
  await app.runTask('maintenance', { window_id: window.id });
  await tag(member, []);
  await tag(stranger, ['prod']);
  const patched = (body: object) => app.alice.ok<MaintenanceWindow>('PATCH', `${path}/${window.id}`, body);
  assert.deepEqual(members(await patched({ ...window, title: 'Patch day 1' })), ['Member by tag']);
  // As the dashboard does.
  assert.deepEqual(members(await patched({ title: 'Patch day', monitors: [], tags: ['prod'] })), [
    'Member by tag',
  ]);
  assert.deepEqual(members(await patched({ monitors: [{ id: stranger.id, by_tag: false }] })), [
    'Member by tag',
    'Stranger',
  ]);
  assert.deepEqual(members(await patched({ tags: [] })), ['Stranger'], 'other tags are another choice');
});

test('a cancelled window of tags can be sent back as read', async () => {
  const { driver, plan, path, tag } = await scene();
  const member = await driver.create({ name: 'Member', tags: ['prod'] });
  const { id } = await plan(60, 3660, { tags: ['prod'] });
  const cancelled = await app.alice.ok<MaintenanceWindow>('POST', `${path}/${id}/cancel`);
  await tag(member, []);
  assert.deepEqual(await app.alice.ok('PATCH', `${path}/${id}`, cancelled), cancelled);
});

test('a tag reaches no other organization, and a narrowed key cannot use tags', async () => {
  const { place, driver, plan, path } = await scene();
  const mine = await driver.create({ name: 'Mine', tags: ['prod'] });
  const elsewhere = await scene();
  await elsewhere.driver.create({ name: 'Foreign', tags: ['prod'] });
  const window = await plan(60, 3660, { tags: ['prod'] });
  await elsewhere.tag(await elsewhere.driver.create({ name: 'Late' }), ['prod']);
  assert.deepEqual(members(window), ['Mine by tag']);
  const narrow = await makeKeyHolder(app, app.alice, place.orgId, {
    scopes: ['maintenance:write'],
    project_ids: [place.projectId],
  });
  const times = { scheduled_start: window.scheduled_start, scheduled_end: window.scheduled_end };
  const asked = { title: 'By a key', ...times, monitors: [mine.id] };
  assertRefused(await narrow.send('POST', path, { ...asked, tags: ['prod'] }), {
    status: 403,
    error: 'forbidden',
  });
  assertRefused(await narrow.send('PATCH', `${path}/${window.id}`, { title: 'Mine' }), {
    status: 403,
    error: 'forbidden',
  });
  const own = await narrow.ok<MaintenanceWindow>('POST', path, asked);
  assertRefused(await narrow.send('PATCH', `${path}/${own.id}`, { tags: ['prod'] }), {
    status: 403,
    error: 'forbidden',
  });
  const bad = await app.alice.send('POST', path, { ...asked, tags: ['a,b'] });
  assertRefused(bad, { status: 400, error: 'invalid_request', field: 'tags', reason: 'invalid_tag' });
});

test('a change names at most 1,000 monitors, not counting those that are in by a tag', async () => {
  const { path, plan } = await scene();
  const { id } = await plan(60, 3660, {});
  const ids = Array.from({ length: 1001 }, () => newId('mon'));
  const give = (monitors: unknown[]) => app.alice.send('PATCH', `${path}/${id}`, { monitors });
  assertRefused(await give(ids), { status: 400, error: 'invalid_request', field: 'monitors' });
  assert.equal((await give(ids.slice(1))).status, 200);
  assert.equal((await give(ids.map((each) => ({ id: each, by_tag: true })))).status, 200);
});
