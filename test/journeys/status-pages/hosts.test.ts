// What is served under which name (docs/rules/status-pages.md#hosts): the installation's own names, custom domains, and all others.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { askByName } from '#test/harness/by-name.ts';
import { newMonitor, newPage, settings, verifiedDomain } from '#test/harness/status-page.ts';
import { until } from '#test/harness/until.ts';

const DOMAIN = 'status.acme.example';
const PASSWORD = 'a password that is shared';

let app: TestApp;
let home: Place;
let page: StatusPage;
let monitorId: string;
before(async () => {
  app = await startAppOfFile({
    env: {
      BASE_URL: 'https://tocsin.example.com',
      HOSTS: 'monitor.example.com',
      EDGE_DOMAIN: 'edge.example.net',
      TRUST_PROXY: '1',
    },
  });
  home = await app.place();
  page = await shownPage('Acme');
  ({ id: monitorId } = await newMonitor(app.alice, home, 'Shop'));
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, { monitors: [{ monitor_id: monitorId }] });
  await verified(page, DOMAIN);
});

async function shownPage(name: string, changed: object = { access_mode: 'public' }): Promise<StatusPage> {
  const made = await newPage(app.alice, home, name);
  if ('access_mode' in changed && changed.access_mode === 'shared_password')
    await app.alice.ok('PUT', `/status-pages/${made.id}/shared-password`, { password: PASSWORD });
  return app.alice.ok('PATCH', `/status-pages/${made.id}`, settings(made, changed));
}

async function verified(of: StatusPage, domain: string, cert: 'issued' | null = null): Promise<string> {
  const id = await verifiedDomain(app, of, domain, cert);
  await answers(domain, (status, text) => status !== 404 || !text.includes('Nothing is served'));
  return id;
}

/** A server reads what changed right after the change. */
const answers = (name: string, as: (status: number, text: string) => boolean) =>
  until(async () => {
    const { status, text } = await ask(name, '/');
    return as(status, text);
  }, `${name} answers as it has to`);

const ask = (host: string, path: string, given: Parameters<typeof askByName>[3] = {}) =>
  askByName(app.url, host, path, given);

test('the installation answers under its own names, loopback names and addresses', async () => {
  const names = [
    'tocsin.example.com',
    'TOCSIN.example.com.',
    'tocsin.example.com:8443',
    'monitor.example.com',
  ];
  for (const name of [...names, 'localhost', 'a.localhost:3300', '127.0.0.1', '[::1]:3300', '192.0.2.7'])
    assert.equal((await ask(name, '/healthz')).status, 200, name);
});

test('under any other name every request is 404', async () => {
  for (const name of [
    'other.example.com',
    'acme.example',
    'edge.example.net',
    'x.edge.example.net',
    'tocsin',
  ])
    for (const path of ['/', '/healthz', '/app', `/status/${page.slug}`, '/auth/get-session', '/nonsense']) {
      const { status, text } = await ask(name, path);
      assert.deepEqual([status, JSON.parse(text).error], [404, 'not_found'], `${name}${path}`);
    }
});

test('a custom domain shows its page, whatever the name’s case, its port and a trailing dot', async () => {
  const own = await ask('localhost', `/status/${page.slug}`);
  assert.equal(own.status, 200);
  for (const name of [DOMAIN, DOMAIN.toUpperCase(), `${DOMAIN}:8443`, `${DOMAIN}.`]) {
    const shown = await ask(name, '/');
    assert.equal(shown.status, 200, name);
    assert.match(shown.text, /<title>[^<]*Acme/);
  }
});

test('every address in the page, its feeds and its JSON stays on the domain', async () => {
  const texts = await Promise.all(
    ['/', '/history', '/feed.rss', '/feed.atom', '/summary.json', '/embed', '/de'].map(async (path) => {
      const { status, text } = await ask(DOMAIN, path, { headers: { 'x-forwarded-proto': 'https' } });
      assert.equal(status, 200, path);
      return text;
    }),
  );
  for (const text of texts) {
    assert.doesNotMatch(text, /tocsin\.example\.com|\/status\/|\/public\/status-pages|localhost/);
  }
  assert.match(texts[2] ?? '', new RegExp(`<link>https://${DOMAIN}/</link>`));
  assert.equal(JSON.parse(texts[4] ?? '').page.url, `https://${DOMAIN}`);
});

test('everything in a page is on its domain, under short paths and the installation’s paths', async () => {
  const beside = ['/badge.svg', '/feed.rss', '/feed.atom', '/maintenance.ics', '/summary.json', '/embed'];
  for (const path of [...beside, '/api/v2/summary.json', '/en/history'])
    assert.equal((await ask(DOMAIN, path)).status, 200, path);
  for (const path of ['', ...beside])
    assert.equal((await ask(DOMAIN, `/public/status-pages/${page.slug}${path}`)).status, 200, path);
  assert.equal((await ask(DOMAIN, `/badge.svg?monitor=${monitorId}&metric=uptime`)).status, 200);
  assert.equal((await ask(DOMAIN, '/nonsense')).status, 404);
});

test('no part of the installation, and no other page, is on a custom domain', async () => {
  const other = await shownPage('Other');
  const paths = [
    ...['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/app', '/auth/get-session', '/me'],
    ...[
      '/organizations',
      `/organizations/${home.orgId}/incidents`,
      `/monitors/${monitorId}`,
      '/probe/assignments',
    ],
    ...[
      `/status/${other.slug}`,
      `/public/status-pages/${other.slug}`,
      `/public/status-pages/${other.slug}/feed.rss`,
    ],
    ...[`/status/${page.slug}/../${other.slug}`, `/public/status-pages/${page.slug}/../${other.slug}`],
    ...[
      '//healthz',
      '/%2e%2e/healthz',
      '/x/../../healthz',
      '/heartbeat/abc',
      '/subscriptions/abc',
      '/edge/ask',
    ],
  ];
  for (const path of paths)
    for (const cookie of [undefined, app.alice.cookie()]) {
      const { status, headers } = await ask(DOMAIN, path, {
        headers: cookie === undefined ? {} : { cookie },
      });
      assert.equal(status, 404, path);
      assert.equal(headers.location, undefined, path);
    }
  const writes = [`/organizations/${home.orgId}/projects`, '/auth/sign-in/email', '/probe/results'];
  for (const path of writes) {
    const given = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    assert.equal((await ask(DOMAIN, path, given)).status, 404, path);
  }
});

test('the name header of a proxy that connects by address is trusted', async () => {
  const said: Record<string, string>[] = [
    { 'x-forwarded-host': DOMAIN },
    { forwarded: `for=192.0.2.1;host="${DOMAIN}";proto=https` },
    { forwarded: `for=192.0.2.9, for="[2001:db8::1]:4711";host="${DOMAIN}:8443";proto=https` },
  ];
  for (const headers of said)
    for (const host of ['127.0.0.1:3300', 'tocsin'])
      assert.match((await ask(host, '/', { headers })).text, /<title>[^<]*Acme/, JSON.stringify(headers));
  // Whoever asks by a name of ours gets what is there.
  const direct = await ask('tocsin.example.com', '/healthz', { headers: { 'x-forwarded-host': DOMAIN } });
  assert.equal(direct.status, 200);
  for (const forwarded of ['nonsense', 'host=', 'for=;host="', `${'host=a;'.repeat(500)}`])
    assert.ok((await ask('127.0.0.1', '/healthz', { headers: { forwarded } })).status < 500, forwarded);
});

test('whatever scheme a proxy passes on, addresses are http or https', async () => {
  for (const proto of ['javascript', 'HTTPS', 'a"b', 'ftp', 'x://y/'])
    for (const [name, value] of [
      ['x-forwarded-proto', proto],
      ['forwarded', `for=192.0.2.1;proto="${proto}"`],
    ] as const) {
      const headers = { [name]: value };
      const { status, text } = await ask(DOMAIN, '/summary.json', { headers });
      assert.equal(status, 200);
      assert.match(JSON.parse(text).page.url, new RegExp(`^https?://${DOMAIN}$`), proto);
    }
});

test('without a trusted proxy only the Host header counts', async () => {
  const direct = await startAppOfFile({ env: { EDGE_DOMAIN: 'edge.example.net' } });
  const said: Record<string, string>[] = [
    { 'x-forwarded-host': 'nobody.example' },
    { forwarded: 'host=nobody.example' },
  ];
  for (const headers of said)
    assert.equal((await askByName(direct.url, '127.0.0.1', '/healthz', { headers })).status, 200);
});

test('a domain uses https only once it has a certificate', async () => {
  const of = await shownPage('Promises');
  await verified(of, 'plain.acme.example');
  await verified(of, 'secure.acme.example', 'issued');
  const plain = await ask('plain.acme.example', '/');
  const secure = await ask('secure.acme.example', '/');
  assert.equal(plain.headers['strict-transport-security'], undefined);
  assert.equal(secure.headers['strict-transport-security'], 'max-age=31536000');
});

test('a locked page opens on its domain, with a cookie bound to that host', async () => {
  const of = await shownPage('Locked', { access_mode: 'shared_password' });
  await verified(of, 'locked.acme.example', 'issued');
  const locked = await ask('locked.acme.example', '/');
  assert.equal(locked.status, 401);
  assert.match(locked.text, /action="\/unlock"/);
  const form = {
    method: 'POST',
    body: `password=${encodeURIComponent(PASSWORD)}`,
    headers: {
      ...{ 'content-type': 'application/x-www-form-urlencoded', origin: 'https://locked.acme.example' },
      ...{ 'x-forwarded-proto': 'https', cookie: 'other=1' },
    },
  };
  const opened = await ask('locked.acme.example', '/unlock', form);
  assert.deepEqual([opened.status, opened.headers.location], [303, '/']);
  const cookie = String(opened.headers['set-cookie']);
  assert.match(cookie, /^__Host-tocsin_page_\w+=.*; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/);
  assert.doesNotMatch(cookie, /Domain/i);
  const [pair = ''] = cookie.split(';');
  const again = await ask('locked.acme.example', '/', { headers: { cookie: pair } });
  assert.equal(again.status, 200);
  const forged = { ...form, headers: { ...form.headers, origin: `https://${DOMAIN}` } };
  const refused = await ask('locked.acme.example', '/unlock', forged);
  assert.equal(refused.status, 403);
  assert.doesNotMatch(refused.text, /tocsin\.example\.com/);
});

test('a page that is a draft again is 404 on its domain, and one with a new slug is still there', async () => {
  const of = await shownPage('Moves');
  await verified(of, 'moves.acme.example');
  assert.equal((await ask('moves.acme.example', '/')).status, 200);
  const moved = settings(of, { access_mode: 'public', slug: `${of.slug}-2` });
  await app.alice.ok('PATCH', `/status-pages/${of.id}`, moved);
  assert.equal((await ask('moves.acme.example', '/')).status, 200);
  await app.alice.ok('PATCH', `/status-pages/${of.id}`, settings(of, { access_mode: 'draft' }));
  assert.equal((await ask('moves.acme.example', '/')).status, 404);
  // Nor does a refusal name the draft's slug, which only the installation's path has.
  for (const [method, path] of [
    ['POST', '/'],
    ['OPTIONS', '/history'],
    ['GET', '/%zz'],
  ] as const) {
    const { status, text } = await ask('moves.acme.example', path, { method });
    assert.equal(status, 404, path);
    assert.ok(!text.includes(of.slug), text);
    assert.ok(text.includes(path), text);
  }
});

test('a removed domain shows nothing any more, and neither does an archived page’s', async () => {
  const of = await shownPage('Removed');
  const id = await verified(of, 'removed.acme.example');
  await verified(of, 'archived.acme.example');
  await app.alice.ok('DELETE', `/status-pages/${of.id}/domains/${id}`);
  await answers('removed.acme.example', (_status, text) => text.includes('Nothing is served'));
  assert.equal((await ask('archived.acme.example', '/')).status, 200);
  await app.alice.ok('DELETE', `/status-pages/${of.id}`);
  await answers('archived.acme.example', (_status, text) => text.includes('Nothing is served'));
});

test('a second server knows a domain as soon as the first', async () => {
  await using second = await app.another();
  const of = await shownPage('Two servers');
  await verified(of, 'two.acme.example');
  await until(
    async () => (await askByName(second.url, 'two.acme.example', '/')).status === 200,
    'the second server shows the page',
  );
});

test('until there is a custom domain every name belongs to the installation', async () => {
  const fresh = await startAppOfFile();
  assert.equal((await askByName(fresh.url, 'whatever.example.com', '/healthz')).status, 200);
});
