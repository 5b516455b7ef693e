// Whether an edge may order a certificate: for which names, how many, and who may ask at all.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { CHECK_MARK } from '#src/domain/check-mark.ts';
import { ownAddresses } from '#src/platform/own-addresses.ts';
import { startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { dropDomain, newDomain } from '#test/harness/custom-domain.ts';

const HOUR_MS = 3_600_000;

let app: TestApp;
before(async () => {
  app = await startAppOfFile({
    env: { BASE_URL: 'https://tocsin.example.com', EDGE: 'caddy', EDGE_DOMAIN: 'edge.example.net' },
  });
});

const ask = (query: string, headers: Record<string, string> = {}, at = app) =>
  at.visitor().send<{ error: string; reason?: string }>('GET', `/edge/ask${query}`, undefined, headers);

const asking = async (domain: string, at = app) =>
  (await ask(`?domain=${encodeURIComponent(domain)}`, {}, at)).status;

test('a verified domain gets a certificate, in any spelling, and others get none', async () => {
  await newDomain(app, 'status.example.com');
  await newDomain(app, 'pending.example.com', { status: 'pending' });
  const failed = await newDomain(app, 'failed.example.com', { status: 'failed' });
  for (const domain of ['status.example.com', 'STATUS.Example.com', 'status.example.com.'])
    assert.equal(await asking(domain), 200, domain);
  for (const domain of ['pending.example.com', failed.domain, 'www.status.example.com', 'example.com'])
    assert.equal(await asking(domain), 404, domain);
});

test('invalid names are refused: addresses, wildcards, long names, none, two', async () => {
  const long = `${'a.'.repeat(126)}example`;
  for (const domain of ['', '127.0.0.1', '::1', '[::1]', '*.example.com', long, 'a/b.example.com', '\u0000'])
    assert.equal(await asking(domain), 404, domain);
  assert.equal((await ask('')).status, 404);
  assert.equal((await ask('?domain=status.example.com&domain=status.example.com')).status, 404);
});

test('the host of BASE_URL gets a certificate under https, however often it is requested', async () => {
  for (let i = 0; i < 7; i++) assert.equal(await asking('tocsin.example.com'), 200);
  await using plain = await startTestApp({ env: { BASE_URL: 'http://tocsin.example.com' } });
  assert.equal(await asking('tocsin.example.com', plain), 404);
});

test('the domain of an archived page, and a removed one, no longer get certificates', async () => {
  const archived = await newDomain(app, 'archived.example.com');
  const removed = await newDomain(app, 'removed.example.com');
  await app.db
    .updateTable('status_pages')
    .set({ archived_at: app.clock.now() })
    .where('id', '=', archived.page.id)
    .execute();
  await dropDomain(app, removed);
  for (const { domain } of [archived, removed]) assert.equal(await asking(domain), 404, domain);
});

test('only an edge on this machine is answered: no proxy, no check, no other machine', async (t) => {
  const { domain } = await newDomain(app, 'near.example.com');
  const query = `?domain=${domain}`;
  assert.equal((await ask(query)).status, 200);
  const marks = { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1', [CHECK_MARK]: '1' };
  for (const [name, value] of Object.entries(marks))
    assert.equal((await ask(query, { [name]: value })).status, 404, name);
  const [address] = ownAddresses().filter((each) => !each.includes(':'));
  if (address === undefined) return t.skip('this machine has loopback alone');
  await using open = await startTestApp({ env: { HOST: '0.0.0.0' } });
  await newDomain(open, domain);
  assert.equal((await ask(query, {}, open)).status, 200);
  const { port } = new URL(open.url);
  assert.equal((await fetch(`http://${address}:${port}/edge/ask${query}`)).status, 404);
});

test('at most five certificates are ordered for a domain within an hour, and issued ones do not count', async () => {
  const own = await app.place();
  const domain = await newDomain(app, 'limited.example.com', { place: own });
  for (let i = 0; i < 5; i++) {
    assert.equal(await asking(domain.domain), 200);
    app.clock.advance(60_000);
  }
  const refused = await ask(`?domain=${domain.domain}`);
  assert.equal(refused.status, 429);
  assert.equal(refused.body.reason, 'certificate_orders');
  assert.equal(refused.headers.get('retry-after'), String(55 * 60));
  // Removing it and adding it again is no way around.
  await dropDomain(app, domain);
  const again = await newDomain(app, domain.domain, { place: own });
  assert.equal(await asking(domain.domain), 429);
  app.clock.advance(55 * 60_000 - 1);
  assert.equal(await asking(domain.domain), 429);
  app.clock.advance(1);
  assert.equal(await asking(domain.domain), 200);
  assert.equal(await asking(domain.domain), 429);
  await app.db
    .updateTable('status_page_domains')
    .set({ cert_status: 'issued' })
    .where('id', '=', again.id)
    .execute();
  assert.equal(await asking(domain.domain), 200);
});

test('at most twenty are ordered for an organization within an hour, even by simultaneous requests', async () => {
  app.clock.advance(HOUR_MS);
  const own = await app.place();
  const domains = Array.from({ length: 23 }, (_, i) => `n${i}.example.net`);
  for (const domain of domains) await newDomain(app, domain, { place: own });
  const statuses = await Promise.all(domains.map((domain) => asking(domain)));
  assert.equal(statuses.filter((status) => status === 200).length, 20);
  assert.equal(statuses.filter((status) => status === 429).length, 3);
  const other = await newDomain(app, 'other.example.net', { place: await app.place() });
  assert.equal(await asking(other.domain), 200, 'another organization is not held up');
});

test('at most a hundred are ordered for the installation within an hour, and orders are forgotten after a day', async () => {
  app.clock.advance(25 * HOUR_MS);
  const place = await app.place();
  const at = app.clock.now();
  const earlier = Array.from({ length: 99 }, (_, i) => ({
    org_id: app.home.orgId,
    domain: `e${i}.example`,
    at,
  }));
  await app.db.insertInto('certificate_orders').values(earlier).execute();
  const [last, beyond] = [
    await newDomain(app, 'last.example.net', { place }),
    await newDomain(app, 'beyond.example.net', { place }),
  ];
  assert.equal(await asking(last.domain), 200);
  assert.equal(await asking(beyond.domain), 429);
  await app.runTask('sweep');
  const kept = await app.db.selectFrom('certificate_orders').select('no').execute();
  assert.equal(kept.length, 100, 'what was ordered days ago is gone, what counts is kept');
});

test('orders of an external proxy are not counted: nobody knows its certificates', async () => {
  const own = await startAppOfFile();
  const { domain } = await newDomain(own, 'own-proxy.example.com');
  for (let i = 0; i < 7; i++) assert.equal(await asking(domain, own), 200);
});
