// Pages that not everybody may see: what is locked is locked in everything it has.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { newPage, settings } from '#test/harness/status-page.ts';

const PASSWORD = 'correct horse battery';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

const HTML = ['', '/history', '/embed', '/en', '/incidents/inc_1'];
const BESIDE = [
  '',
  '/summary.json',
  '/badge.svg',
  '/feed.rss',
  '/feed.atom',
  '/maintenance.ics',
  '/logo',
  '/logo-dark',
  '/embed',
];

async function lockedPage(name = 'Inside news'): Promise<StatusPage> {
  const page = await newPage(app.alice, app.home, name);
  await app.alice.ok('PUT', `/status-pages/${page.id}/shared-password`, { password: PASSWORD });
  return app.alice.ok(
    'PATCH',
    `/status-pages/${page.id}`,
    settings(page, { access_mode: 'shared_password' }),
  );
}

const ask = (path: string, cookie = '') => fetch(app.url + path, { headers: { cookie }, redirect: 'manual' });
const unlock = (slug: string, password: string) =>
  fetch(`${app.url}/public/status-pages/${slug}/unlock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password }),
  });
async function cookieOf(slug: string): Promise<string> {
  const answer = await unlock(slug, PASSWORD);
  assert.equal(answer.status, 204);
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? assert.fail('no cookie');
}

test('a locked page is 401 in all its parts, and reveals nothing', async () => {
  const { slug } = await lockedPage();
  for (const path of [
    ...HTML.map((path) => `/status/${slug}${path}`),
    ...BESIDE.map((path) => `/public/status-pages/${slug}${path}`),
  ]) {
    const answer = await ask(path);
    assert.equal(answer.status, 401, path);
    assert.match(answer.headers.get('cache-control') ?? '', /no-store|private/);
    assert.doesNotMatch(await answer.text(), /Inside news/, path);
  }
});

test('the right password opens it with a cookie for this page only', async () => {
  const [one, other] = [await lockedPage(), await lockedPage()];
  assert.equal((await unlock(one.slug, 'wrong horse battery')).status, 401);
  const cookie = await cookieOf(one.slug);
  const seen = await ask(`/status/${one.slug}`, cookie);
  assert.equal(seen.status, 200);
  assert.match(seen.headers.get('cache-control') ?? '', /^private/);
  assert.equal(seen.headers.get('access-control-allow-origin'), null);
  assert.equal((await ask(`/public/status-pages/${one.slug}/feed.rss`, cookie)).status, 200);
  assert.equal((await ask(`/status/${other.slug}`, cookie)).status, 401);
  const renamed = cookie.replace(one.id.slice(4), other.id.slice(4));
  assert.notEqual(renamed, cookie);
  assert.equal((await ask(`/status/${other.slug}`, renamed)).status, 401, 'the name alone opens nothing');
});

test('rotating the password locks out every visitor at once', async () => {
  const { id, slug } = await lockedPage();
  const cookie = await cookieOf(slug);
  const { password } = await app.alice.ok<{ password: string }>(
    'POST',
    `/status-pages/${id}/shared-password/rotate`,
  );
  assert.equal((await ask(`/status/${slug}`, cookie)).status, 401);
  assert.equal((await unlock(slug, PASSWORD)).status, 401);
  assert.equal((await unlock(slug, password)).status, 204);
});

test('an unlocked visit ends after 30 days', async () => {
  const { slug } = await lockedPage();
  const cookie = await cookieOf(slug);
  app.clock.advance(30 * 86_400_000 - 1_000);
  assert.equal((await ask(`/status/${slug}`, cookie)).status, 200);
  app.clock.advance(2_000);
  assert.equal((await ask(`/status/${slug}`, cookie)).status, 401);
});

test('the form works without JavaScript: errors are shown, success leads back', async () => {
  const { slug } = await lockedPage();
  const post = (password: string) =>
    fetch(`${app.url}/public/status-pages/${slug}/unlock`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ password }),
      redirect: 'manual',
    });
  const wrong = await post('not this one');
  assert.equal(wrong.status, 401);
  assert.match(await wrong.text(), /<form method="post"/);
  const right = await post(PASSWORD);
  assert.deepEqual([right.status, right.headers.get('location')], [303, `/status/${slug}`]);
  const [cookie = ''] = right.headers.getSetCookie();
  assert.match(cookie, /; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax/);
});

test('invalid input is 400, and a public page cannot be unlocked', async () => {
  const page = await newPage(app.alice, app.home);
  await app.alice.ok('PATCH', `/status-pages/${page.id}`, settings(page, { access_mode: 'public' }));
  assert.equal((await unlock(page.slug, PASSWORD)).status, 404);
  const { slug } = await lockedPage();
  for (const body of ['{}', '{"password":1}', '[]', '{"password":"a","more":1}', 'null']) {
    const answer = await fetch(`${app.url}/public/status-pages/${slug}/unlock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    assert.equal(answer.status, 400, body);
  }
});

test('password guesses are slowed down', async () => {
  await using limited = await startTestApp({ env: { RATE_LIMITS: 'on' } });
  const page = await newPage(limited.alice, limited.home);
  await limited.alice.ok('PUT', `/status-pages/${page.id}/shared-password`, { password: PASSWORD });
  await limited.alice.ok(
    'PATCH',
    `/status-pages/${page.id}`,
    settings(page, { access_mode: 'shared_password' }),
  );
  const guess = () =>
    fetch(`${limited.url}/public/status-pages/${page.slug}/unlock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password: 'a guess of mine' }),
    });
  const statuses: number[] = [];
  for (let i = 0; i < 7; i++) statuses.push((await guess()).status);
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
  assert.ok(Number((await guess()).headers.get('retry-after')) > 0);
});
