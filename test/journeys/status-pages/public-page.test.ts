// What visitors of a status page see, and when.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import type { PublicStatusPage } from '#src/status-pages/public/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { resultOf } from '#test/harness/probe.ts';
import { newPage, settings } from '#test/harness/status-page.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

type Page = { id: string; slug: string };

async function monitorOf(name: string, fields: object = {}): Promise<Monitor> {
  const body = { name, type: 'http', config: { url: 'https://shop.example.com/' }, ...fields };
  return app.alice.ok<Monitor>('POST', `/projects/${app.home.projectId}/monitors`, body);
}

/** A public page with these monitors. */
async function publicPage(monitors: readonly (Monitor | object)[], changed: object = {}): Promise<Page> {
  const page = await newPage(app.alice, app.home);
  await app.alice.ok(
    'PATCH',
    `/status-pages/${page.id}`,
    settings(page, { access_mode: 'public', ...changed }),
  );
  const listed = monitors.map((monitor) =>
    'monitor_id' in monitor ? monitor : { monitor_id: (monitor as Monitor).id },
  );
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, { monitors: listed });
  return page;
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, { headers, redirect: 'manual' });
async function jsonOf({ slug }: Page): Promise<PublicStatusPage> {
  const answer = await get(`/public/status-pages/${slug}`);
  assert.equal(answer.status, 200);
  return (await answer.json()) as PublicStatusPage;
}
async function htmlOf({ slug }: Page, headers: Record<string, string> = {}): Promise<string> {
  const answer = await get(`/status/${slug}`, headers);
  assert.equal(answer.status, 200);
  return answer.text();
}

async function fail(monitor: Monitor, region = 'local'): Promise<string> {
  const probe = app.probe(region);
  for (let i = 0; i < 2; i++) {
    await probe.post([resultOf(monitor.id, app.clock.ms(), 'down')]);
    app.clock.advance(15_000);
  }
  const [open] = await app.alice.ok<{ id: string }[]>('GET', `/monitors/${monitor.id}/incidents`);
  return open?.id ?? assert.fail('no incident opened');
}

test('a page appears with the commit that publishes it, and disappears with the one that closes it', async () => {
  const page = await publicPage([await monitorOf('Shop')]);
  assert.equal((await get(`/status/${page.slug}`)).status, 200);
  const stored = await app.alice.ok<{ page: never }>('GET', `/status-pages/${page.id}`);
  await app.alice.ok('PATCH', `/status-pages/${page.id}`, settings(stored.page, { access_mode: 'draft' }));
  for (const path of [`/status/${page.slug}`, `/public/status-pages/${page.slug}`])
    assert.equal((await get(path)).status, 404, path);
});

test('a draft, a page that is switched off, an archived and an unknown one are 404 in all their parts', async () => {
  const draft = await newPage(app.alice, app.home);
  const off = await publicPage([], { enabled: false });
  const archived = await publicPage([]);
  await app.alice.ok('DELETE', `/status-pages/${archived.id}`);
  for (const { slug } of [draft, off, archived, { slug: 'nobody-has-this' }]) {
    for (const path of ['', '/history', '/embed', '/incidents/inc_1'])
      assert.equal((await get(`/status/${slug}${path}`)).status, 404, `${slug}${path}`);
    for (const path of [
      '',
      '/summary.json',
      '/badge.svg',
      '/feed.rss',
      '/feed.atom',
      '/maintenance.ics',
      '/logo',
      '/logo-dark',
      '/embed',
    ])
      assert.equal((await get(`/public/status-pages/${slug}${path}`)).status, 404, `${slug}${path}`);
    for (const path of ['/unlock', '/login']) {
      const sent = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"username":"a","password":"a"}',
      };
      assert.equal((await fetch(`${app.url}/public/status-pages/${slug}${path}`, sent)).status, 404);
    }
  }
});

test('states, groups and labels match the list', async () => {
  const [up, down, off] = [
    await monitorOf('Front'),
    await monitorOf('Orders'),
    await monitorOf('Old', { enabled: false }),
  ];
  await app.probe().post([resultOf(up.id, app.clock.ms(), 'up')]);
  const page = await publicPage(
    [
      { monitor_id: down.id, display_name: 'Ordering', group_label: 'Shop', uptime_window_days: 7 },
      { monitor_id: up.id, group_label: 'Shop' },
      { monitor_id: off.id },
    ],
    { collapsed_groups: ['Shop'] },
  );
  await fail(down);
  const { state, groups } = await jsonOf(page);
  assert.equal(state, 'major_outage');
  assert.deepEqual(
    groups.map(({ name, collapsed, state, monitors }) => [
      name,
      collapsed,
      state,
      monitors.map((m) => [m.label, m.state, m.uptime_window_days, m.days.length]),
    ]),
    [
      [
        'Shop',
        true,
        'major_outage',
        [
          ['Ordering', 'major_outage', 7, 7],
          ['Front', 'operational', 90, 90],
        ],
      ],
      ['Default', false, 'no_data', [['Old', 'no_data', 90, 90]]],
    ],
  );
});

test('monitors and projects appear under their current names, and a deleted one nowhere, not even in past months', async () => {
  const place = await app.place();
  const made = (name: string) =>
    app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, {
      ...{ name, type: 'http', config: { url: 'https://shop.example.com/' } },
    });
  const [renamed, deleted] = [await made('Codename'), await made('Leaving')];
  const page = await newPage(app.alice, place);
  await app.alice.ok('PATCH', `/status-pages/${page.id}`, settings(page, { access_mode: 'public' }));
  const monitors = [renamed, deleted].map(({ id }) => ({ monitor_id: id }));
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, { monitors });
  const texts = async () =>
    (await (await get(`/status/${page.slug}`)).text()) +
    (await (await get(`/status/${page.slug}/history`)).text());
  assert.match(await texts(), /Codename.*Leaving/s);
  await app.alice.ok('PATCH', `/monitors/${renamed.id}`, { name: 'Shop' });
  await app.alice.ok('DELETE', `/monitors/${deleted.id}`);
  await app.alice.ok('PATCH', `/projects/${place.projectId}`, { name: 'Storefront' });
  // It is read again at most once a second; what is kept is a minute old, or five.
  let last = '';
  const began = performance.now();
  await until(async () => {
    last = await texts();
    return last.includes('Storefront') && !/Codename|Leaving/.test(last);
  }, 'the page has the names of now');
  assert.match(last, /Shop/);
  assert.ok(performance.now() - began < 40_000, 'sooner than it is read in any case');
});

/** What no public byte may say. */
const secretsOf = (hiddenId: string) => [
  ...['It was Bob', 'secret-host', 'Payments', 'Hidden core', 'Secret work', 'Work elsewhere'],
  ...['alice', 'status 503', 'far-isle', app.home.orgId, app.home.projectId, hiddenId],
];

test('an incident is on the page from its opening, with only its public text', async () => {
  await app.region('far-isle');
  const config = { url: 'https://secret-host.example.com/' };
  const monitor = await monitorOf('Payments', { config, regions: ['far-isle'] });
  const page = await publicPage([{ monitor_id: monitor.id, display_name: 'Paying' }]);
  const hidden = await monitorOf('Hidden core', { config });
  const now = Math.floor(app.clock.ms() / 1000);
  const plan = (title: string, body: object) =>
    app.alice.ok('POST', `/organizations/${app.home.orgId}/maintenance-windows`, {
      ...{ title, body: title, scheduled_start: now + 3_600, scheduled_end: now + 7_200 },
      ...body,
    });
  await plan('New disks', { monitors: [monitor.id, hidden.id] });
  await plan('Secret work', { monitors: [monitor.id], public_visible: false });
  await plan('Work elsewhere', { monitors: [hidden.id] });
  await htmlOf(page);
  const incidentId = await fail(monitor, 'far-isle');
  const say = (body: string, visibility: string) =>
    app.alice.ok('POST', `/organizations/${app.home.orgId}/incidents/${incidentId}/notes`, {
      body,
      kind: 'note',
      visibility,
    });
  await say('We found the fault.', 'public');
  await say('It was Bob.', 'internal');
  // It is read again at most once a second.
  await until(async () => (await jsonOf(page)).incidents[0]?.notes.length === 1, 'the note is on the page');
  const { incidents } = await jsonOf(page);
  assert.deepEqual(
    incidents.map(({ id, monitors, status, notes }) => [id, monitors, status, notes.map(({ body }) => body)]),
    [[incidentId, ['Paying'], 'open', ['We found the fault.']]],
  );
  for (const path of [
    `/status/${page.slug}`,
    `/status/${page.slug}/history`,
    `/status/${page.slug}/incidents/${incidentId}`,
    `/status/${page.slug}/embed`,
    `/public/status-pages/${page.slug}`,
    `/public/status-pages/${page.slug}/feed.rss`,
    `/public/status-pages/${page.slug}/feed.atom`,
    `/public/status-pages/${page.slug}/summary.json`,
    `/public/status-pages/${page.slug}/badge.svg`,
    `/public/status-pages/${page.slug}/badge.svg?metric=uptime&monitor=${monitor.id}`,
    `/public/status-pages/${page.slug}/maintenance.ics`,
    `/public/status-pages/${page.slug}/embed`,
    `/public/status-pages/${page.slug}/logo`,
  ]) {
    const answer = await get(path);
    assert.equal(answer.status, path.endsWith('/logo') ? 404 : 200, path);
    const text = JSON.stringify([...answer.headers]) + (await answer.text());
    for (const secret of secretsOf(hidden.id)) assert.ok(!text.includes(secret), `${path} says ${secret}`);
  }
});

test('cancelled maintenance stays on the page as cancelled until it would have ended', async () => {
  const monitor = await monitorOf('Cellar');
  const page = await publicPage([{ monitor_id: monitor.id }]);
  const now = Math.floor(app.clock.ms() / 1000);
  const windows = `/organizations/${app.home.orgId}/maintenance-windows`;
  const { id } = await app.alice.ok<{ id: string }>('POST', windows, {
    ...{ title: 'New racks', monitors: [monitor.id] },
    ...{ scheduled_start: now + 3_600, scheduled_end: now + 7_200 },
  });
  const shown = async () => {
    const [, article] = (await htmlOf(page)).split(`id="${id}"`);
    return article?.split('</article>')[0] ?? '';
  };
  assert.match(await shown(), /Planned/);
  await app.alice.ok('POST', `${windows}/${id}/cancel`);
  await until(async () => /Cancelled/.test(await shown()), 'the page says that it is cancelled');
  const [window] = (await jsonOf(page)).maintenance;
  assert.deepEqual([window?.cancelled, window?.state], [true, 'past']);
});

test('maintenance is dated by what was last changed of it, and not by its beginning or by being read', async () => {
  const monitor = await monitorOf('Attic');
  const page = await publicPage([monitor]);
  const now = Math.floor(app.clock.ms() / 1000);
  const windows = `/organizations/${app.home.orgId}/maintenance-windows`;
  const window = await app.alice.ok<{ id: string }>('POST', windows, {
    ...{ title: 'New roof', monitors: [monitor.id] },
    ...{ scheduled_start: now + 3_600, scheduled_end: now + 7_200 },
  });
  type Summary = { scheduled_maintenances: { name: string; status: string; updated_at: string }[] };
  const shown = async () => {
    const { scheduled_maintenances } = (await (
      await get(`/public/status-pages/${page.slug}/summary.json`)
    ).json()) as Summary;
    return scheduled_maintenances[0] ?? assert.fail('the window is not on the page');
  };
  const calendar = async () => (await get(`/public/status-pages/${page.slug}/maintenance.ics`)).text();
  const change = async (fields: object) => {
    app.clock.advance(60_000);
    await app.alice.ok('PATCH', `${windows}/${window.id}`, fields);
    return new Date(app.clock.ms()).toISOString();
  };
  const was = await calendar();
  const renamed = await change({ title: 'New green roof' });
  await until(async () => (await shown()).name === 'New green roof', 'the page has the new title');
  assert.equal((await shown()).updated_at, renamed);
  assert.notEqual(await calendar(), was);
  app.clock.advance(3_600_000);
  await app.runTask('maintenance', { window_id: window.id });
  await until(async () => (await shown()).status === 'in_progress', 'the page says that it began');
  assert.equal((await shown()).updated_at, renamed);
  await change({ title: 'New green roof' });
  const { changed_at } = await app.db
    .selectFrom('maintenance_windows')
    .select('changed_at')
    .where('id', '=', window.id)
    .executeTakeFirstOrThrow();
  assert.equal(changed_at?.toISOString(), renamed, 'what is sent back as it is changes nothing');
});

test('a badge whose page was not read for minutes says that nothing is known', async () => {
  const monitor = await monitorOf('Web');
  await app.probe().says(monitor.id, 'up');
  const page = await publicPage([monitor]);
  const badge = async () => (await get(`/public/status-pages/${page.slug}/badge.svg`)).text();
  assert.match(await badge(), /Operational/i);
  // Of what was read; it is read again by the machine's own time.
  app.clock.advance(181_000);
  assert.match(await badge(), /No data/i);
});
