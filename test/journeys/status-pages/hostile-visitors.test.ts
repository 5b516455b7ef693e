// Visitors who try what they should not, and pages that go while they are looked at.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import type { PublicStatusPage } from '#src/status-pages/public/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { newMonitor, newPage, settings } from '#test/harness/status-page.ts';
import { until } from '#test/harness/until.ts';

const PASSWORD = 'correct horse battery';

let app: TestApp;
let other: Awaited<ReturnType<TestApp['another']>>;
before(async () => {
  app = await startAppOfFile();
  other = await app.another();
  closeAfterTests(() => Promise.resolve(other[Symbol.asyncDispose]()));
});

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_BODY = { 'content-type': 'application/json' };

const ask = (path: string, headers: Record<string, string> = {}, url = app.url, method = 'GET') =>
  fetch(url + path, { method, headers, redirect: 'manual' });
const post = (path: string, body: string, headers: Record<string, string>) =>
  fetch(app.url + path, { method: 'POST', body, headers, redirect: 'manual' });

async function pageOf(place: Place, changed: object, monitors: readonly Pick<Monitor, 'id'>[] = []) {
  const page = await newPage(app.alice, place);
  const path = `/status-pages/${page.id}`;
  await app.alice.ok('PUT', `${path}/shared-password`, { password: PASSWORD });
  await app.alice.ok('PUT', `${path}/monitors`, { monitors: monitors.map(({ id }) => ({ monitor_id: id })) });
  return app.alice.ok<StatusPage>('PATCH', path, settings(page, changed));
}
const change = (page: StatusPage, changed: object) =>
  app.alice.ok<StatusPage>('PATCH', `/status-pages/${page.id}`, settings(page, changed));

async function cookieOf(path: string, body: object): Promise<string> {
  const answer = await post(path, JSON.stringify(body), JSON_BODY);
  assert.equal(answer.status, 204);
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? assert.fail('no cookie');
}

/** All addresses of a page that answer to GET. */
const addressesOf = (slug: string) => [
  ...[
    '',
    '/',
    '/de',
    '/de/',
    '/history',
    '/de/history',
    '/embed',
    '/incidents/inc_1',
    '/en/incidents/inc_1',
  ].map((path) => `/status/${slug}${path}`),
  ...['', '/summary.json', '/badge.svg', '/badge.svg?metric=uptime', '/feed.rss', '/feed.atom'].map(
    (path) => `/public/status-pages/${slug}${path}`,
  ),
  ...['/maintenance.ics', '/logo', '/logo-dark', '/embed'].map(
    (path) => `/public/status-pages/${slug}${path}`,
  ),
];

test('a page that is closed is closed on every server, with everything in it, to GET and HEAD', async () => {
  const page = await pageOf(app.home, { access_mode: 'public' });
  const urls = [app.url, other.url];
  for (const url of urls) assert.equal((await ask(`/status/${page.slug}`, {}, url)).status, 200);
  await change(page, { access_mode: 'draft' });
  for (const url of urls) {
    await until(
      async () => (await ask(`/status/${page.slug}`, {}, url)).status === 404,
      'the draft is hidden',
    );
    for (const path of addressesOf(page.slug))
      for (const method of ['GET', 'HEAD'])
        assert.equal((await ask(path, {}, url, method)).status, 404, path);
  }
});

test('other spellings of an address never open a page, and never break the server', async () => {
  const draft = await pageOf(app.home, { access_mode: 'draft' });
  const locked = await pageOf(app.home, { access_mode: 'shared_password' });
  for (const { slug } of [draft, locked]) {
    const encoded = `%${slug.charCodeAt(0).toString(16)}${slug.slice(1)}`;
    for (const spelled of [
      slug.toUpperCase(),
      encoded,
      `${slug}%00`,
      `${slug}%2f`,
      `${slug}%20`,
      `${slug}.`,
      `${slug};a=b`,
      `%5f${slug}`,
      `${slug}%ff`,
      `${slug}%`,
      '__proto__',
      'constructor',
      'x'.repeat(400),
      'x'.repeat(4_000),
    ])
      for (const path of addressesOf(spelled)) {
        const { status } = await ask(path);
        assert.ok([400, 401, 404, 414].includes(status), `${path} is ${status}`);
      }
  }
});

test('a deleted organization’s page is gone on every server, without an error on the way', async () => {
  const place = await app.place();
  const { id } = await newMonitor(app.alice, place, 'Shop');
  const page = await pageOf(place, { access_mode: 'public' }, [{ id }]);
  const locked = await pageOf(place, { access_mode: 'shared_password' });
  const cookie = await cookieOf(`/public/status-pages/${locked.slug}/unlock`, { password: PASSWORD });
  const visits = [
    [app.url, page.slug],
    [other.url, page.slug],
    [app.url, locked.slug],
  ] as const;
  for (const [url, slug] of visits) assert.equal((await ask(`/status/${slug}`, { cookie }, url)).status, 200);
  await app.alice.ok('DELETE', `/organizations/${place.orgId}`);
  for (const [url, slug] of visits)
    await until(async () => {
      const { status } = await ask(`/status/${slug}`, { cookie }, url);
      assert.ok([200, 404].includes(status), `${status}`);
      return status === 404;
    }, 'the page of nobody is gone');
});

test('a deleted monitor leaves its pages within a second', async () => {
  const [kept, gone] = [
    await newMonitor(app.alice, app.home, 'Kept'),
    await newMonitor(app.alice, app.home, 'Gone'),
  ];
  const { slug } = await pageOf(app.home, { access_mode: 'public' }, [kept, gone]);
  const shown = async () => {
    const page = (await (await ask(`/public/status-pages/${slug}`)).json()) as PublicStatusPage;
    return page.groups.flatMap(({ monitors }) => monitors.map(({ label }) => label));
  };
  assert.deepEqual(await shown(), ['Kept', 'Gone']);
  await app.alice.ok('DELETE', `/monitors/${gone.id}`);
  await until(async () => (await shown()).join() === 'Kept', 'the monitor is off the page');
  assert.equal((await ask(`/public/status-pages/${slug}/badge.svg?monitor=${gone.id}`)).status, 404);
});

test('rotating the password or deleting a viewer ends visits on every server', async () => {
  const shared = await pageOf(app.home, { access_mode: 'shared_password' });
  const knew = await cookieOf(`/public/status-pages/${shared.slug}/unlock`, { password: PASSWORD });
  const personal = await pageOf(app.home, { access_mode: 'viewer_login' });
  const account = { username: 'vera', password: 'a password of a viewer' };
  const viewer = await app.alice.ok<{ id: string }>('POST', `/status-pages/${personal.id}/viewers`, {
    ...account,
    email: 'vera@example.org',
  });
  const signedIn = await cookieOf(`/public/status-pages/${personal.slug}/login`, account);
  const visits = [
    [shared.slug, knew],
    [personal.slug, signedIn],
  ] as const;
  for (const [slug, cookie] of visits)
    for (const url of [app.url, other.url])
      assert.equal((await ask(`/status/${slug}`, { cookie }, url)).status, 200);
  await app.alice.ok('POST', `/status-pages/${shared.id}/shared-password/rotate`);
  await app.alice.ok('DELETE', `/status-pages/${personal.id}/viewers/${viewer.id}`);
  for (const [slug, cookie] of visits) {
    assert.equal((await ask(`/status/${slug}`, { cookie })).status, 401);
    await until(
      async () => (await ask(`/status/${slug}`, { cookie }, other.url)).status === 401,
      'the other server has heard',
    );
  }
});

test('a viewer of one page has no access to another, whatever the cookie is called', async () => {
  const account = { username: 'walter', password: 'a password of a viewer' };
  const [one, two] = [
    await pageOf(app.home, { access_mode: 'viewer_login' }),
    await pageOf(app.home, { access_mode: 'viewer_login' }),
  ];
  await app.alice.ok('POST', `/status-pages/${one.id}/viewers`, { ...account, email: 'walter@example.org' });
  const cookie = await cookieOf(`/public/status-pages/${one.slug}/login`, account);
  const renamed = cookie.replace(one.id.slice(4), two.id.slice(4));
  assert.notEqual(renamed, cookie);
  for (const path of addressesOf(two.slug))
    for (const sent of [cookie, renamed, `${cookie}; ${renamed}`])
      assert.equal((await ask(path, { cookie: sent })).status, 401, path);
  const tried = await post(`/public/status-pages/${two.slug}/login`, JSON.stringify(account), JSON_BODY);
  assert.equal(tried.status, 401);
});

test('forms accept no unknown fields, and no characters that cannot be stored', async () => {
  const shared = await pageOf(app.home, { access_mode: 'shared_password' });
  const personal = await pageOf(app.home, { access_mode: 'viewer_login' });
  const bodies = [
    '__proto__=x&password=y',
    '__proto__[password]=x',
    'constructor=x',
    'password=a&password=b',
    'username=a%00b&password=y',
    'username=a&password=y%00',
    'username=%ff%fe&password=%ed%a0%80',
    'username=a%0d%0aSet-Cookie:x&password=y',
    'username=%25%5f&password=y',
    'password=%00',
    `password=${'x'.repeat(5_000)}`,
    '',
  ];
  for (const [slug, path] of [
    [shared.slug, 'unlock'],
    [personal.slug, 'login'],
    [shared.slug, 'subscriptions'],
  ])
    for (const body of bodies) {
      const sent = [
        await post(`/public/status-pages/${slug}/${path}`, body, FORM),
        await post(
          `/public/status-pages/${slug}/${path}`,
          JSON.stringify(Object.fromEntries(new URLSearchParams(body))),
          JSON_BODY,
        ),
      ];
      for (const { status, headers } of sent) {
        assert.ok([400, 401].includes(status), `${path} with ${body} is ${status}`);
        assert.equal(headers.get('set-cookie'), null);
      }
    }
});

test('a visitor’s host headers are in no document', async () => {
  const { slug } = await pageOf(app.home, { access_mode: 'public' });
  for (const path of addressesOf(slug).filter((path) => !/logo|inc_1/.test(path))) {
    const answer = await ask(path, {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'gopher',
      'x-original-url': '/evil',
      'x-rewrite-url': '/evil',
      forwarded: 'host=evil.example',
      'accept-language': 'de-evil-x-evil;q=9, evil, *;q=evil',
      referer: 'https://evil.example/',
      range: 'bytes=0-3',
    });
    assert.equal(answer.status, 200, path);
    assert.doesNotMatch(await answer.text(), /evil|gopher/, path);
  }
});

test('the widget of a locked page is for its own visitors, not for other sites', async () => {
  const { slug } = await pageOf(app.home, { access_mode: 'shared_password' });
  const cookie = await cookieOf(`/public/status-pages/${slug}/unlock`, { password: PASSWORD });
  for (const path of addressesOf(slug).filter((path) => !/logo|inc_1/.test(path))) {
    const { status, headers } = await ask(path, { cookie });
    assert.deepEqual([status, headers.get('access-control-allow-origin')], [200, null], path);
    assert.match(headers.get('cache-control') ?? '', /^private/, path);
  }
});

test('a client that refuses gzip gets none', async () => {
  const { slug } = await pageOf(app.home, { access_mode: 'public' });
  for (const [accepted, expected] of [
    ['gzip', 'gzip'],
    ['br, *', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['gzip;q=0', null],
    ['gzip ; q=0.000, br', null],
    ['gzip;q=0, *', null],
    ['*;q=0', null],
    ['identity', null],
    [',;=,gzip2', null],
  ] as const) {
    const { headers } = await ask(`/status/${slug}`, { 'accept-encoding': accepted });
    assert.equal(headers.get('content-encoding'), expected, accepted);
  }
});
