import assert from 'node:assert/strict';
import { pbkdf2 } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { closedPort, httpServer, tcpServer } from '#test/harness/listeners.ts';
import { checkJudged, checkOnce, linesOf, verdictOf } from '#test/harness/one-check.ts';
import { type RdapAnswer, rdapServer, registration } from '#test/harness/rdap-server.ts';

/** Checks a domain against a registry that gives these answers. */
async function ask(
  t: TestContext,
  domain: string,
  answer: (name: string) => RdapAnswer,
  given: Record<string, unknown> = {},
) {
  const { base, asked } = await rdapServer(t, answer);
  const seen = await checkOnce('domain', { domain, ...given }, { rdap: { baseUrl: base } });
  return { seen, asked };
}

const expiringIn = (days: number | null) => (name: string) => registration(name, days);

test('the metric is the days left, and plenty of them are up', async (t) => {
  const { base } = await rdapServer(t, expiringIn(200.5));
  const { seen, judged } = await checkJudged(
    'domain',
    { domain: 'example.com' },
    { rdap: { baseUrl: base } },
  );
  assert.equal(seen.status, 'up', String(seen.detail));
  assert.ok(Math.abs((seen.metric_value ?? 0) - 200.5) < 0.02);
  assert.equal(seen.latency_ms, undefined);
  assert.equal(linesOf(judged)[0], 'ok Registration: example.com');
  assert.match(linesOf(judged)[1] ?? '', /^ok Days left: 200, until \d{4}-/);
});

for (const [days, status, failureClass] of [
  [30.5, 'up', undefined],
  [29.5, 'degraded', 'domain_expires_soon'],
  [7.5, 'degraded', 'domain_expires_soon'],
  [6.5, 'down', 'domain_expires_soon'],
  [0.5, 'down', 'domain_expires_soon'],
  [-0.5, 'down', 'domain_expired'],
] as const) {
  test(`${days} days left are ${status}`, async (t) => {
    const { seen } = await ask(t, 'example.com', expiringIn(days), { warn_days: 30, fail_days: 7 });
    assert.deepEqual([seen.status, seen.failure_class], [status, failureClass]);
    if (failureClass) assert.equal(seen.cause_layer, 'target_app');
    if (failureClass) assert.match(seen.detail ?? '', /example\.com expire[sd] on \d{4}-\d\d-\d\d/);
  });
}

test('the days left are counted from the right time, whatever the clock of this machine says', async (t) => {
  const { base } = await rdapServer(t, expiringIn(100));
  const policy = { allowPrivate: true, nowMs: () => Date.now() - 300 * 86_400_000 };
  const seen = await checkOnce('domain', { domain: 'example.com' }, { rdap: { baseUrl: base }, policy });
  assert.ok(Math.abs((seen.metric_value ?? 0) - 400) < 0.02, String(seen.metric_value));
});

test('a name below a registration is looked up through its parents', async (t) => {
  const only = (name: string) => (name === 'example.co.uk' ? registration(name, 100) : 404);
  const { seen, asked } = await ask(t, 'status.eu.example.co.uk', only);
  assert.equal(seen.status, 'up');
  assert.deepEqual(asked, ['status.eu.example.co.uk', 'eu.example.co.uk', 'example.co.uk']);
});

test('a deep name is looked up from five labels on', async (t) => {
  const only = (name: string) => (name === 'example.com' ? registration(name, 100) : 404);
  const { seen, asked } = await ask(t, 'a.b.c.d.e.f.example.com', only);
  assert.equal(seen.status, 'up');
  assert.deepEqual(asked, ['d.e.f.example.com', 'e.f.example.com', 'f.example.com', 'example.com']);
});

test('if a registry refuses a subdomain, its parent is looked up', async (t) => {
  const only = (name: string) => (name === 'example.com' ? registration(name, 100) : 400);
  assert.equal((await ask(t, 'www.example.com', only)).seen.status, 'up');
});

test('nothing registered down to two labels is domain_unregistered', async (t) => {
  const { seen, asked } = await ask(t, 'www.nowhere.com', () => 404);
  assert.deepEqual(verdictOf(seen), ['down', 'domain_unregistered', 'target_app']);
  assert.deepEqual(asked, ['www.nowhere.com', 'nowhere.com']);
});

test('international names are looked up in ASCII', async (t) => {
  const { asked } = await ask(t, 'bücher.example', expiringIn(100));
  assert.deepEqual(asked, ['xn--bcher-kva.example']);
});

test('without a useful answer of the registry there is no result', async (t) => {
  const cases: [string, RdapAnswer, string][] = [
    ['too many requests', 429, 'rdap_unavailable'],
    ['out of order', 503, 'rdap_unavailable'],
    ['refused to the last', 400, 'rdap_unavailable'],
    ['silent', null, 'rdap_unavailable'],
    ['no expiration', registration('example.com', null), 'rdap_no_expiry'],
    ['another object', { objectClassName: 'entity' }, 'rdap_unavailable'],
    ['not an object', [], 'rdap_unavailable'],
    [
      'a broken date',
      { objectClassName: 'domain', events: [{ eventAction: 'expiration' }, null] },
      'rdap_no_expiry',
    ],
  ];
  for (const [name, answer, failureClass] of cases) {
    const { seen } = await ask(t, 'example.com', () => answer, { timeout_ms: 1_500 });
    assert.deepEqual([name, seen.failure_class, seen.cause_layer], [name, failureClass, 'probe']);
  }
});

test('no connection, no RDAP, an endless or oversized answer are no result either', async (t) => {
  const at = async (port: number) => {
    const rdap = { baseUrl: `http://127.0.0.1:${port}` };
    const seen = await checkOnce('domain', { domain: 'example.com', timeout_ms: 2_000 }, { rdap });
    return [seen.failure_class, seen.cause_layer];
  };
  const noResult = ['rdap_unavailable', 'probe'];
  assert.deepEqual(await at(await closedPort()), noResult);
  assert.deepEqual(await at(await tcpServer(t, () => undefined)), noResult);
  const page = await httpServer(t, (_, response) =>
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>'),
  );
  assert.deepEqual(await at(page), noResult);
  const large = await httpServer(t, (_, response) => response.end(`{"x":"${'y'.repeat(1_100_000)}"}`));
  assert.deepEqual(await at(large), noResult);
  const bomb = await httpServer(t, (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20_000_000))),
  );
  assert.deepEqual(await at(bomb), noResult);
  const loop = await httpServer(t, (_, response) => response.writeHead(302, { location: '/again' }).end());
  assert.deepEqual(await at(loop), noResult);
});

test('a probe that is too busy to read the answer in time has no result', async (t) => {
  const body = gzipSync(JSON.stringify({ objectClassName: 'domain' }));
  const port = await httpServer(t, (_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/rdap+json', 'content-encoding': 'gzip' })
      .end(body),
  );
  // Decompressing waits for a thread.
  const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)('a', 'b', 800_000, 32, 'sha512'));
  const rdap = { baseUrl: `http://127.0.0.1:${port}` };
  const seen = await checkOnce('domain', { domain: 'example.com', timeout_ms: 200 }, { rdap });
  assert.deepEqual([seen.failure_class, seen.cause_layer], ['rdap_unavailable', 'probe']);
  await Promise.all(busy);
});

test('redirects lead to the authoritative registry', async (t) => {
  const registry = await rdapServer(t, expiringIn(100));
  const port = await httpServer(t, (incoming, response) =>
    response.writeHead(302, { location: `${registry.base}${incoming.url}` }).end(),
  );
  const rdap = { baseUrl: `http://127.0.0.1:${port}/` };
  assert.equal((await checkOnce('domain', { domain: 'example.com' }, { rdap })).status, 'up');
  assert.deepEqual(registry.asked, ['example.com']);
});

test('without a configured server IANA’s list names the registry, and is read once', async (t) => {
  const [com, uk] = [await rdapServer(t, expiringIn(100)), await rdapServer(t, expiringIn(200))];
  let read = 0;
  const port = await httpServer(t, (_, response) => {
    read += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        description: 'RDAP bootstrap file for Domain Name System registrations',
        publication: '2026-01-01T00:00:00Z',
        version: '1.0',
        services: [
          [['net', 'com'], [`${com.base}/`]],
          [['uk'], ['ftp://nowhere.example/', `${com.base}/`]],
          [['co.uk'], [`${uk.base}/`]],
        ],
      }),
    );
  });
  const rdap = { bootstrapUrl: `http://127.0.0.1:${port}/dns.json` };
  const at = (domain: string) => checkOnce('domain', { domain }, { rdap });
  const seen = await Promise.all(['example.com', 'shop.example.co.uk', 'nobody.de'].map(at));
  assert.deepEqual(
    seen.map(({ status, failure_class }) => [status, failure_class]),
    [
      ['up', undefined],
      ['up', undefined],
      ['down', 'rdap_unavailable'],
    ],
  );
  assert.match(seen[2]?.detail ?? '', /registry of \.de/);
  assert.deepEqual([com.asked, uk.asked, read], [['example.com'], ['shop.example.co.uk'], 1]);
});

test('an unreadable list of registries is no result, and is read again next time', async (t) => {
  const registry = await rdapServer(t, expiringIn(100));
  const lists = ['not JSON', '{"services":[[["com"],["javascript:alert(1)"]]]}', '{"services":7}'];
  const good = JSON.stringify({ services: [[['com'], [registry.base]]] });
  const port = await httpServer(t, (_, response) => response.end(lists.shift() ?? good));
  const rdap = { bootstrapUrl: `http://127.0.0.1:${port}/` };
  for (let n = 0; n < 3; n += 1) {
    const seen = await checkOnce('domain', { domain: 'example.com' }, { rdap });
    assert.deepEqual([seen.failure_class, seen.cause_layer], ['rdap_unavailable', 'probe']);
  }
  assert.equal((await checkOnce('domain', { domain: 'example.com' }, { rdap })).status, 'up');
});

test('while the list of registries cannot be read again, the old one stays in use', async (t) => {
  const registry = await rdapServer(t, expiringIn(200));
  const list = { services: [[['com'], [registry.base]]] };
  let answers: 'the list' | 'an error' | 'nothing' = 'the list';
  let reads = 0;
  const port = await httpServer(t, (_, response) => {
    reads += 1;
    if (answers === 'the list') response.end(JSON.stringify(list));
    if (answers === 'an error') response.writeHead(503).end();
  });
  const rdap = { bootstrapUrl: `http://127.0.0.1:${port}/dns.json` };
  const check = () => checkOnce('domain', { domain: 'example.com', timeout_ms: 4_000 }, { rdap });
  assert.equal((await check()).status, 'up');
  const now = performance.now.bind(performance);
  let aheadMs = 0;
  t.mock.method(performance, 'now', () => now() + aheadMs);
  for (const failing of ['an error', 'nothing'] as const) {
    answers = failing;
    aheadMs += 25 * 3_600_000;
    // Two at a time: the second one finds the reading of the first under way.
    for (const seen of await Promise.all([check(), check()]))
      assert.equal(seen.status, 'up', `${failing}: ${seen.detail}`);
  }
  assert.equal(reads, 3);
});

test('a cancelled check takes nobody along who waits for the list that it was reading', async (t) => {
  const registry = await rdapServer(t, expiringIn(200));
  const list = JSON.stringify({ services: [[['com'], [registry.base]]] });
  const stop = new AbortController();
  let reads = 0;
  const asked = Promise.withResolvers<void>();
  const port = await httpServer(t, (_, response) => {
    reads += 1;
    if (reads > 1) response.end(list);
    else asked.resolve();
  });
  const rdap = { bootstrapUrl: `http://127.0.0.1:${port}/dns.json` };
  const check = (signal?: AbortSignal) => checkOnce('domain', { domain: 'example.com' }, { rdap, signal });
  const first = check(stop.signal);
  await asked.promise;
  const others = [check(), check()];
  await new Promise(setImmediate);
  stop.abort();
  assert.equal((await first).failure_class, 'aborted');
  for (const seen of await Promise.all(others)) assert.equal(seen.status, 'up', String(seen.detail));
  assert.equal(reads, 2);
});

test('a cancelled check says so', async (t) => {
  const stop = new AbortController();
  const { base } = await rdapServer(t, () => {
    stop.abort();
    return null;
  });
  const context = { rdap: { baseUrl: base }, signal: stop.signal };
  const seen = await checkOnce('domain', { domain: 'example.com' }, context);
  assert.equal(seen.failure_class, 'aborted');
});
