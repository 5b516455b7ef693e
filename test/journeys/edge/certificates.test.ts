// How certificates are followed: asked for when they are due, by one server, and what is said of what came of it. The edge is a
// TLS server that has certificates for some names.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { before, type TestContext, test } from 'node:test';
import tls from 'node:tls';
import { followCertificates } from '#src/edge/certificates.ts';
import { markDomains } from '#src/edge/mark-domains.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { type Authority, authority } from '#test/harness/certificates.ts';
import { newDomain } from '#test/harness/custom-domain.ts';
import { closedPort, tcpServer } from '#test/harness/listeners.ts';
import { until } from '#test/harness/until.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

let app: TestApp;
let trusted: Authority;
before(async () => {
  app = await startAppOfFile({ env: { EDGE: 'caddy', EDGE_DOMAIN: 'edge.example.net' } });
  trusted = await authority();
});

/** An edge; `certified` is what it has certificates for, and `asked` every name it was asked for. */
async function anEdge(t: TestContext) {
  const certified = new Map<string, tls.SecureContext>();
  const asked: string[] = [];
  const server = tls.createServer({
    SNICallback: (name, done) => {
      asked.push(name);
      const context = certified.get(name);
      if (context) done(null, context);
      else done(new Error('no certificate'));
    },
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    at: { host: '127.0.0.1', port },
    async certify(name: string, options: Parameters<Authority['issue']>[0] = { names: [name] }) {
      certified.set(name, tls.createSecureContext(await trusted.issue(options)));
    },
  };
}

const follow = (...edges: { host: string; port: number }[]) =>
  followCertificates({ db: app.db, clock: app.clock.now, edges });

const synced = (...names: string[]) =>
  runWork(app.db, app.clock.now(), SYSTEM, (work) => markDomains(work, new Set(names)));

const row = (id: string) =>
  app.db
    .selectFrom('status_page_domains')
    .select(['edge_synced', 'cert_status', 'cert_error'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

const isClaimed = async (id: string): Promise<boolean> => {
  const at = app.db.selectFrom('status_page_domains').select('cert_next_check_at').where('id', '=', id);
  return (await at.executeTakeFirstOrThrow()).cert_next_check_at !== null;
};

test('a domain on the edge waits for its certificate, gets it, and is checked every six hours', async (t) => {
  const edge = await anEdge(t);
  const { id, domain } = await newDomain(app, 'issued.example.test');
  await follow(edge.at);
  assert.deepEqual(edge.asked, [], 'before it is on the edge');
  await synced(domain);
  assert.deepEqual(await row(id), { edge_synced: true, cert_status: 'pending', cert_error: null });
  await edge.certify(domain);
  await follow(edge.at);
  assert.deepEqual(await row(id), { edge_synced: true, cert_status: 'issued', cert_error: null });
  app.clock.advance(6 * HOUR_MS - 1);
  await follow(edge.at);
  assert.equal(edge.asked.length, 1);
  app.clock.advance(1);
  await follow(edge.at);
  assert.equal(edge.asked.length, 2);
});

test('until it is issued it is requested at intervals that grow to an hour', async (t) => {
  const edge = await anEdge(t);
  const { id, domain } = await newDomain(app, 'pauses.example.test');
  await synced(domain);
  await follow(edge.at);
  const { cert_status, cert_error } = await row(id);
  assert.equal(cert_status, 'failed');
  assert.match(cert_error ?? '', /got no certificate for pauses\.example\.test\. .+CAA/);
  const askedAfter: number[] = [];
  const began = app.clock.ms();
  while (app.clock.ms() - began < 6 * HOUR_MS) {
    const before = edge.asked.length;
    app.clock.advance(5 * SECOND_MS);
    // What is not due is not claimed: a look at the database alone.
    await follow(edge.at);
    if (edge.asked.length > before) askedAfter.push((app.clock.ms() - began) / SECOND_MS);
    if (askedAfter.length > 8) app.clock.advance(MINUTE_MS);
  }
  const pauses = askedAfter.map((at, i) => at - (askedAfter[i - 1] ?? 0));
  assert.deepEqual(pauses.slice(0, 3), [5, 5, 5]);
  for (const [i, pause] of pauses.entries())
    if (i > 8) assert.ok(pause >= (pauses[i - 1] ?? 0) - 65, `${pauses}`);
  assert.ok(Math.max(...pauses) <= 3_600 + 65, `${pauses}`);
  assert.ok(pauses.length < 30, `${pauses}`);
  await edge.certify(domain);
  app.clock.advance(HOUR_MS);
  await follow(edge.at);
  assert.equal((await row(id)).cert_status, 'issued');
});

test('two servers request it once', async (t) => {
  const edge = await anEdge(t);
  const names = Array.from({ length: 12 }, (_, i) => `once${i}.example.test`);
  for (const name of names) {
    await newDomain(app, name);
    await edge.certify(name);
  }
  await synced(...names);
  await Promise.all([follow(edge.at), follow(edge.at), follow(edge.at)]);
  assert.deepEqual(edge.asked.toSorted(), names.toSorted());
});

test('another server takes over a dead server’s request within a minute', async (t) => {
  const edge = await anEdge(t);
  const { id, domain } = await newDomain(app, 'begun.example.test');
  await synced(domain);
  await edge.certify(domain);
  const silent = await tcpServer(t, () => undefined);
  const ending = new AbortController();
  const died = followCertificates({
    ...{ db: app.db, clock: app.clock.now, signal: ending.signal },
    edges: [{ host: '127.0.0.1', port: silent }],
  });
  await until(() => isClaimed(id), 'it is begun');
  ending.abort();
  await died;
  await follow(edge.at);
  assert.deepEqual(edge.asked, [], 'it may still be at it');
  app.clock.advance(MINUTE_MS);
  await follow(edge.at);
  assert.equal((await row(id)).cert_status, 'issued');
});

test('a certificate for another name, and an expired one, do not count', async (t) => {
  const edge = await anEdge(t);
  const foreign = await newDomain(app, 'foreign.example.test');
  const expired = await newDomain(app, 'expired.example.test');
  await edge.certify(foreign.domain, { names: ['else.example.test'] });
  await edge.certify(expired.domain, { names: [expired.domain], fromDays: -20, untilDays: -1 });
  await synced(foreign.domain, expired.domain);
  await follow(edge.at);
  assert.equal((await row(foreign.id)).cert_status, 'failed');
  assert.match((await row(foreign.id)).cert_error ?? '', /another name/);
  assert.equal((await row(expired.id)).cert_status, 'failed');
  assert.match((await row(expired.id)).cert_error ?? '', /expired/);
});

test('of two edges both need it; an unreachable one does not disprove an issued certificate', async (t) => {
  const [one, other] = [await anEdge(t), await anEdge(t)];
  const { id, domain } = await newDomain(app, 'both.example.test');
  await synced(domain);
  await one.certify(domain);
  await follow(one.at, other.at);
  assert.equal((await row(id)).cert_status, 'failed');
  await other.certify(domain);
  app.clock.advance(HOUR_MS);
  await follow(one.at, other.at);
  assert.equal((await row(id)).cert_status, 'issued');
  app.clock.advance(6 * HOUR_MS);
  await follow({ host: '127.0.0.1', port: await closedPort() });
  assert.deepEqual(await row(id), { edge_synced: true, cert_status: 'issued', cert_error: null });
});

test('beyond the limit of orders the domain says when the next one is possible', async (t) => {
  const edge = await anEdge(t);
  const { id, domain } = await newDomain(app, 'limited.example.test');
  await synced(domain);
  for (let i = 0; i < 5; i++)
    assert.equal((await app.visitor().send('GET', `/edge/ask?domain=${domain}`)).status, 200);
  await follow(edge.at);
  assert.match(
    (await row(id)).cert_error ?? '',
    /Too many certificates .+; the next is ordered after \d{4}-/,
  );
});

test('a domain that left the edge is not synced', async () => {
  const { id, domain } = await newDomain(app, 'gone.example.test');
  await synced(domain);
  assert.equal((await row(id)).edge_synced, true);
  await synced();
  assert.equal((await row(id)).edge_synced, false);
});
