// Settings of a status page: what is read can be sent back, what the plan gates, and everything that is refused
// (docs/rules/status-pages.md#settings).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { type Person, type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Answer } from '#test/harness/client.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { grantKey } from '#test/harness/scene.ts';
import { newMonitor, newPage, readPage, settings } from '#test/harness/status-page.ts';

const DAY_MS = 86_400_000;
const INVALID = { status: 400, error: 'invalid_request' };

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
});

const patch = (page: { id: string }, body: unknown, by: Pick<Person, 'send'> = app.alice) =>
  by.send<StatusPage>('PATCH', `/status-pages/${page.id}`, body);
async function change(page: StatusPage, changed: object): Promise<StatusPage> {
  const answer = await patch(page, settings(page, changed));
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}
const setPlan = ({ orgId }: Place, plan: string) =>
  app.alice.ok('PATCH', `/admin/organizations/${orgId}`, { plan });
const setPassword = (page: StatusPage) =>
  app.db
    .updateTable('status_pages')
    .set({ shared_password_hash: 'salt:hash' })
    .where('id', '=', page.id)
    .execute();
const gates = (page: StatusPage) => [
  page.public_viewable,
  page.password_protected,
  page.shared_password_protected,
];

test('a new page is read with all its fields, and can be sent back as read', async () => {
  const page = await newPage(app.alice, place, 'Acme');
  const detail = await readPage(app.alice, page);
  assert.deepEqual(detail, { has_logo: false, has_logo_dark: false, page, monitors: [], tags: [] });
  assert.deepEqual(page, {
    id: page.id,
    organization_id: place.orgId,
    name: 'Acme',
    slug: page.slug,
    description: null,
    headline: null,
    enabled: true,
    public_viewable: false,
    password_protected: false,
    shared_password_protected: false,
    shared_password_set: false,
    hide_platform_brand: false,
    collapsed_groups: [],
    header_nav: [],
    auto_link_incidents: true,
    timezone: 'UTC',
  });
  const answer = await patch(page, page);
  assert.deepEqual([answer.status, answer.body], [200, page]);
});

test('an entry of the list can be sent back; the number of monitors in it is read-only', async () => {
  const own = await app.place();
  const page = await newPage(app.alice, own);
  const monitor = await newMonitor(app.alice, own, 'Shop');
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, { monitors: [{ monitor_id: monitor.id }] });
  const [listed] = await app.alice.ok<object[]>('GET', `/organizations/${own.orgId}/status-pages`);
  assert.deepEqual(listed, { ...page, monitor_count: 1 });
  assert.equal((await patch(page, listed)).status, 200);
  assertRefused(await patch(page, { ...listed, monitor_count: 2 }), {
    ...{ status: 400, error: 'invalid_request', field: 'monitor_count' },
  });
});

test('every setting is stored, absent and null ones keep their value, and the log has both', async () => {
  const page = await newPage(app.alice, place);
  const given = {
    name: '  Acme Status ',
    enabled: false,
    public_viewable: true,
    access_mode: 'public',
    description: 'Two lines\n<b>of text</b>',
    headline: 'All of Acme',
    header_nav: [
      { label: ' Help ', href: 'https://help.acme.example/' },
      { label: 'Mail', href: 'mailto:help@acme.example' },
      { label: 'Home', href: '/' },
    ],
    collapsed_groups: ['EU', 'US', 'EU'],
    hide_platform_brand: true,
    auto_link_incidents: false,
    timezone: 'europe/berlin',
  };
  const answer = await patch(page, given);
  const { access_mode: _mode, ...wanted } = given;
  assert.deepEqual(answer.body, {
    ...page,
    ...wanted,
    name: 'Acme Status',
    header_nav: [{ ...given.header_nav[0], label: 'Help' }, ...given.header_nav.slice(1)],
    collapsed_groups: ['EU', 'US'],
    timezone: 'Europe/Berlin',
  });
  const nothing = { description: null, headline: null, slug: null, header_nav: null, timezone: null };
  const kept = await patch(page, {
    ...nothing,
    ...{ name: 'Acme Status', enabled: false, public_viewable: true, access_mode: null },
    ...{ collapsed_groups: null, hide_platform_brand: null, auto_link_incidents: null },
  });
  assert.deepEqual(kept.body, answer.body);
  const cleared = await change(kept.body, { description: '', headline: ' \u200b', header_nav: [] });
  assert.deepEqual([cleared.description, cleared.headline, cleared.header_nav], [null, null, []]);
  const log = await app.alice.ok<ActivityEntry[]>(
    'GET',
    `/organizations/${place.orgId}/activity?resource_id=${page.id}&action=status_page.update`,
  );
  assert.deepEqual([log.at(-1)?.before, log.at(-1)?.after], [page, answer.body]);
});

test('access_mode and the legacy flags set exactly one gate', async () => {
  const page = await newPage(app.alice, place);
  await setPassword(page);
  const required = { name: 'X', enabled: true, public_viewable: false };
  for (const [body, wanted] of [
    [{ access_mode: 'public' }, [true, false, false]],
    [{ access_mode: 'viewer_login', public_viewable: true }, [false, true, false]],
    [{ access_mode: 'shared_password', password_protected: true }, [false, false, true]],
    // Without access_mode a page stays behind its shared password, unless a flag says otherwise.
    [{}, [false, false, true]],
    [{ password_protected: false }, [false, false, true]],
    [{ password_protected: true, public_viewable: true }, [false, true, false]],
    [{ public_viewable: true }, [true, false, false]],
    [{ access_mode: null, password_protected: true }, [false, true, false]],
    [{ password_protected: false }, [false, false, false]],
    [{ access_mode: 'public' }, [true, false, false]],
    [{ access_mode: 'draft', public_viewable: true }, [false, false, false]],
  ] as const) {
    const answer = await patch(page, { ...required, ...body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual(gates(answer.body), wanted, JSON.stringify(body));
  }
});

test('a shared password must be set before the page can require it', async () => {
  const page = await newPage(app.alice, place);
  const answer = await patch(page, settings(page, { access_mode: 'shared_password' }));
  assertRefused(answer, { ...INVALID, field: 'access_mode' });
});

test('private modes and hiding the brand require the plan: 402 before any error of the body, 403 by the legacy flag', async () => {
  const small = await app.place(app.alice, 'pro');
  const page = await newPage(app.alice, small);
  const capability = (field: string) => ({ status: 402, error: 'plan_capability', field });
  const legacy = { status: 403, error: 'forbidden', field: 'password_protected' };
  const spoilt: object[] = [
    {},
    { nonsense: true },
    { slug: 'status' },
    { timezone: 'Nowhere' },
    { name: '' },
  ];
  for (const more of spoilt) {
    for (const access_mode of ['viewer_login', 'shared_password'])
      assertRefused(
        await patch(page, settings(page, { access_mode, ...more })),
        capability('private_status_pages'),
      );
    assertRefused(
      await patch(page, settings(page, { hide_platform_brand: true, ...more })),
      capability('white_label'),
    );
    assertRefused(await patch(page, settings(page, { password_protected: true, ...more })), legacy);
  }
  const harmless = { access_mode: 'public', password_protected: true, hide_platform_brand: false };
  assert.equal((await patch(page, settings(page, harmless))).status, 200);
});

test('after a downgrade a page keeps its features, and may drop them', async () => {
  const small = await app.place(app.alice, 'business');
  const page = await newPage(app.alice, small);
  await setPassword(page);
  await change(page, { access_mode: 'viewer_login', hide_platform_brand: true });
  await setPlan(small, 'free');
  const { page: read } = await readPage(app.alice, page);
  assert.deepEqual((await patch(page, read)).body, read);
  const kept = await change(read, { access_mode: 'viewer_login', hide_platform_brand: true });
  assert.deepEqual([kept.password_protected, kept.hide_platform_brand], [true, true]);
  assertRefused(await patch(page, settings(kept, { access_mode: 'shared_password' })), {
    status: 402,
    error: 'plan_capability',
    field: 'private_status_pages',
  });
  const given = await change(kept, { access_mode: 'public', hide_platform_brand: false });
  assert.equal((await patch(page, settings(given, { hide_platform_brand: true }))).status, 402);
  assert.equal((await patch(page, settings(given, { access_mode: 'viewer_login' }))).status, 402);
});

test('a slug is normalized, and refused if it is empty, reserved or in use', async () => {
  const page = await newPage(app.alice, place);
  const other = await newPage(app.alice, await app.place());
  for (const [slug, error, status] of [
    ['!!!', 'empty_slug', 400],
    [' ', 'empty_slug', 400],
    ['API', 'slug_reserved', 409],
    ['status', 'slug_reserved', 409],
    [other.slug.toUpperCase(), 'slug_taken', 409],
  ] as const)
    assertRefused(await patch(page, settings(page, { slug })), { status, error, field: 'slug' }, slug);
  assert.equal((await change(page, { slug: '' })).slug, page.slug);
  assert.equal((await change(page, { slug: ` ${page.slug.toUpperCase()} ` })).slug, page.slug);
  const named = `zoe-${page.slug}`;
  assert.equal((await change(page, { slug: ` Zoë ${page.slug}!` })).slug, named);
  // The old address is free at once, and that of an archived page too.
  assert.equal((await change(other, { slug: page.slug })).slug, page.slug);
  await app.alice.ok('DELETE', `/status-pages/${other.id}`);
  assert.equal((await change(page, { slug: page.slug })).slug, page.slug);
});

test('a slug changes three times in any week, counted in the database; the same slug is no change', async () => {
  const page = await newPage(app.alice, place);
  const to = (n: number) => patch(page, settings(page, { slug: `${page.slug}-${n}` }));
  for (const n of [1, 2]) assert.equal((await to(n)).status, 200);
  app.clock.advance(DAY_MS);
  for (let i = 0; i < 3; i++) assert.equal((await to(2)).status, 200);
  assert.equal((await to(3)).status, 200);
  const refused = await to(4);
  assertRefused(refused, { status: 429, error: 'slug_change_limit', field: 'slug', limit: 3 });
  assert.equal(refused.headers.get('retry-after'), String((6 * DAY_MS) / 1000));
  assert.equal((await readPage(app.alice, page)).page.slug, `${page.slug}-3`);
  assert.equal((await patch(page, settings(page, { headline: 'Still here' }))).status, 200);
  app.clock.advance(6 * DAY_MS);
  await app.runTask('partitions');
  assert.equal((await to(4)).status, 200);
});

test('of many simultaneous changes of the slug three succeed, and one in use is refused, never a 5xx', async () => {
  const page = await newPage(app.alice, place);
  const rival = await newPage(app.alice, place);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => patch(page, settings(page, { slug: `${page.slug}-${n}` }))),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 429, 429, 429, 429, 429]);
  const third = await newPage(app.alice, place);
  const wanted = `${rival.slug}-wanted`;
  const both = await Promise.all([rival, third].map((one) => patch(one, settings(one, { slug: wanted }))));
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
});

test('invalid settings are refused with their field, and nothing is changed', async () => {
  const page = await newPage(app.alice, place);
  const link = (href: string, label = 'Help') => ({
    header_nav: [
      { label: 'Fine', href: '/' },
      { label, href },
    ],
  });
  for (const [body, field, error] of [
    [{ name: ' \u200b' }, 'name', 'empty_name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ enabled: 'yes' }, 'enabled'],
    [{ enabled: null }, 'enabled'],
    [{ access_mode: 'secret' }, 'access_mode'],
    [{ description: 'x'.repeat(20_001) }, 'description'],
    [{ headline: 'x'.repeat(201) }, 'headline'],
    [{ headline: 'two\nlines' }, 'headline'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ timezone: '+02:00' }, 'timezone'],
    [{ timezone: '' }, 'timezone'],
    [{ collapsed_groups: ['EU', ' '] }, 'collapsed_groups.1'],
    [{ collapsed_groups: Array(201).fill('EU') }, 'collapsed_groups'],
    [{ header_nav: Array(21).fill({ label: 'Home', href: '/' }) }, 'header_nav'],
    [{ header_nav: [{ label: 'Home' }] }, 'header_nav.0.href'],
    [{ header_nav: [{ label: 'Home', href: '/', target: '_top' }] }, 'header_nav.0.target'],
    [link('javascript:alert(1)'), 'header_nav.1.href'],
    [link('//evil.example'), 'header_nav.1.href'],
    [link('/\\evil.example'), 'header_nav.1.href'],
    [link('https://user:secret@evil.example'), 'header_nav.1.href'],
    [link('java\nscript:alert(1)'), 'header_nav.1.href'],
    [link('/', ' \u200b '), 'header_nav.1.label'],
    [link('/', 'two\nlines'), 'header_nav.1.label'],
    [{ id: 'stp_other' }, 'id'],
    [{ organization_id: 'org_other' }, 'organization_id'],
    [{ shared_password_set: true }, 'shared_password_set'],
    [{ shared_password_protected: true }, 'shared_password_protected'],
    [{ shared_password: 'secret' }, 'shared_password'],
  ] as const)
    assertRefused(
      await patch(page, settings(page, body)),
      { ...INVALID, field, ...(error ? { error } : {}) },
      JSON.stringify(body),
    );
  for (const body of [{}, [], null, 'x', { name: 'X', enabled: true }])
    assert.equal((await patch(page, body)).status, 400);
  assert.deepEqual((await readPage(app.alice, page)).page, page);
  const tricky = await change(page, { name: 'Ac\u202eme', headline: '\u2066<script>\u2069' });
  assert.deepEqual([tricky.name, tricky.headline], ['Acme', '<script>'], 'direction tricks are removed');
});

test('members read, managers write, narrowed keys and others do neither', async () => {
  const page = await newPage(app.alice, place);
  const member = await app.person('member', { [place.orgId]: 'member' });
  assert.deepEqual((await readPage(member, page)).page, page);
  const forbidden = { status: 403, error: 'forbidden' };
  assertRefused(await patch(page, settings(page), member), forbidden);
  assertRefused(await (await app.person('carol')).send('GET', `/status-pages/${page.id}`), forbidden);
  const send = async (method: string, options: object): Promise<Answer> => {
    const { key } = await grantKey(app, place.orgId, options);
    const body = method === 'GET' ? undefined : settings(page);
    const headers = { authorization: `Bearer ${key}` };
    return app.visitor().send(method, `/status-pages/${page.id}`, body, headers);
  };
  assert.equal((await send('PATCH', { scopes: ['status-pages:write'] })).status, 200);
  assert.equal((await send('GET', { scopes: ['status-pages:read'] })).status, 200);
  assertRefused(await send('PATCH', { scopes: ['status-pages:read'] }), forbidden);
  for (const method of ['GET', 'PATCH'])
    assertRefused(await send(method, { projectIds: [place.projectId] }), forbidden);
  await app.alice.ok('DELETE', `/status-pages/${page.id}`);
  for (const method of ['GET', 'PATCH', 'DELETE'])
    assertRefused(await app.alice.send(method, `/status-pages/${page.id}`), {
      status: 404,
      error: 'not_found',
    });
});
