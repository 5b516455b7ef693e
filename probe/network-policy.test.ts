// The network policy (docs/rules/regions-and-probes.md#network-policy) over every type of check: it holds for the address
// actually connected to.
import assert from 'node:assert/strict';
import { isIPv6 } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createResolver } from '../src/platform/outbound/resolve.ts';
import { type Canary, startCanary } from '../test/harness/canary.ts';
import { httpServer } from '../test/harness/listeners.ts';
import { type NameAnswer, nameServer } from '../test/harness/name-server.ts';
import { type Config, checkOnce, verdictOf } from '../test/harness/one-check.ts';
import { registration } from '../test/harness/rdap-server.ts';
import type { CheckContext } from './check-outcome.ts';
import { CHECKED_TYPES } from './types.ts';

type Sample = {
  type: string;
  name: string;
  config: (host: string, port: number) => Config;
  context?: (host: string, port: number) => Partial<CheckContext>;
};

const inUrl = (host: string) => (isIPv6(host) ? `[${host}]` : host);
const hostPort =
  (extra: Config = {}) =>
  (host: string, port: number) => ({ host, port, ...extra });

/** A config of every type, and of every way of connecting within it, that connects to a host and port. */
const SAMPLES: readonly Sample[] = [
  { type: 'http', name: 'http', config: (host, port) => ({ url: `http://${inUrl(host)}:${port}/` }) },
  { type: 'http', name: 'https', config: (host, port) => ({ url: `https://${inUrl(host)}:${port}/` }) },
  { type: 'tcp', name: 'tcp', config: hostPort() },
  { type: 'tcp', name: 'tcp with TLS', config: hostPort({ tls: true }) },
  { type: 'udp', name: 'udp', config: hostPort({ payload: 'hello' }) },
  { type: 'ping', name: 'ping', config: (host) => ({ host, count: 1 }) },
  ...(['udp', 'tcp'] as const).map((transport) => ({
    type: 'dns',
    name: `dns over ${transport}`,
    config: (resolver: string, port: number) => ({
      host: 'asked.example.com',
      record_type: 'A',
      resolver,
      port,
      transport,
    }),
  })),
  ...(['none', 'smtp', 'postgres'] as const).map((starttls) => ({
    type: 'tls',
    name: `tls (${starttls})`,
    config: hostPort({ starttls }),
  })),
  ...(['smtp', 'imap', 'pop3'] as const).map((protocol) => ({
    type: 'mail',
    name: protocol,
    config: hostPort({ protocol, security: 'starttls' }),
  })),
  { type: 'websocket', name: 'ws', config: (host, port) => ({ url: `ws://${inUrl(host)}:${port}/` }) },
  { type: 'websocket', name: 'wss', config: (host, port) => ({ url: `wss://${inUrl(host)}:${port}/` }) },
  { type: 'grpc', name: 'grpc', config: hostPort({ tls: false }) },
  { type: 'grpc', name: 'grpc with TLS', config: hostPort() },
  ...(['postgres', 'mysql', 'redis'] as const).flatMap((engine) =>
    [false, true].map((tls) => ({
      type: 'database',
      name: tls ? `${engine} with TLS` : engine,
      config: hostPort({ engine, tls, username: 'me', password: 'secret' }),
    })),
  ),
  {
    type: 'domain',
    name: 'domain',
    config: () => ({ domain: 'example.com' }),
    context: (host, port) => ({ rdap: { baseUrl: `http://${inUrl(host)}:${port}` } }),
  },
  {
    type: 'domain',
    name: 'domain by list',
    config: () => ({ domain: 'example.com' }),
    context: (host, port) => ({ rdap: { bootstrapUrl: `http://${inUrl(host)}:${port}/dns.json` } }),
  },
];

const LOOPBACK = ['127.0.0.1', '::1'];
const CLOSED = { policy: { allowPrivate: false } };
const OPEN = { policy: { allowPrivate: true } };

async function checkAt(sample: Sample, host: string, port: number, context: Partial<CheckContext>) {
  const config = { ...sample.config(host, port), timeout_ms: 1_000 };
  return checkOnce(sample.type, config, { ...context, ...sample.context?.(host, port) });
}

/** A resolver that queries the test's own name server. */
async function resolving(t: TestContext, answer: (name: string, type: 'A' | 'AAAA') => NameAnswer) {
  const resolver = createResolver({ servers: [await nameServer(t, answer)], hostsPath: '/nonexistent' });
  t.after(() => resolver.cancel());
  return resolver;
}

const BLOCKED = ['down', 'blocked_target', 'probe'];

async function demandBlocked(
  sample: Sample,
  hosts: readonly string[],
  canary: Canary,
  context: Partial<CheckContext>,
) {
  for (const host of hosts) {
    const seen = await checkAt(sample, host, canary.port, context);
    assert.deepEqual([host, ...verdictOf(seen)], [host, ...BLOCKED]);
  }
  assert.deepEqual(canary.touched, []);
}

test('the samples cover every type that this probe can check', () => {
  assert.deepEqual([...new Set(SAMPLES.map(({ type }) => type))].sort(), [...CHECKED_TYPES].sort());
});

test('the canary detects the connections that it should', async (t) => {
  const canary = await startCanary(t, LOOPBACK);
  for (const sample of SAMPLES.filter(({ type }) => type !== 'ping'))
    for (const host of LOOPBACK) {
      canary.touched.length = 0;
      await checkAt(sample, host, canary.port, OPEN);
      const transport = sample.type === 'udp' || sample.name === 'dns over udp' ? 'udp' : 'tcp';
      assert.ok(canary.touched.includes(`${transport} ${host}`), `${sample.name} did not reach ${host}`);
    }
});

const LITERALS = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '10.0.0.1', '64:ff9b::7f00:1'];
const ODD_LITERALS = ['2130706433', '0177.0.0.1', '0x7f.1', '127.1'];
const METADATA = [
  '169.254.169.254',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '100.100.100.200',
  'fd00:ec2::254',
];
/** By the first label of a name. */
const ANSWERS: Readonly<Record<string, string>> = {
  loopback: '127.0.0.1',
  private: '10.0.0.1',
  metadata: '169.254.169.254',
  loopback6: '::1',
  mapped: '::ffff:127.0.0.1',
  mappedmetadata: '::ffff:169.254.169.254',
  nat64metadata: '64:ff9b::a9fe:a9fe',
};

const byName = (name: string, type: 'A' | 'AAAA'): NameAnswer => {
  const address = ANSWERS[name.split('.')[0] ?? ''];
  if (address === undefined) return 'NXDOMAIN';
  return isIPv6(address) === (type === 'AAAA') ? [address] : [];
};

for (const sample of SAMPLES) {
  test(`${sample.name}: private literals are refused before a packet is sent`, async (t) => {
    const canary = await startCanary(t, LOOPBACK);
    await demandBlocked(sample, LITERALS, canary, CLOSED);
    await demandBlocked(sample, ODD_LITERALS, canary, CLOSED);
    await demandBlocked(sample, METADATA, canary, CLOSED);
  });

  test(`${sample.name}: names that resolve to private addresses are refused before a packet is sent`, async (t) => {
    const canary = await startCanary(t, LOOPBACK);
    const resolver = await resolving(t, byName);
    const names = Object.keys(ANSWERS).map((label) => `${label}.policy.test`);
    await demandBlocked(sample, names, canary, { ...CLOSED, resolver });
  });

  test(`${sample.name}: metadata addresses are refused even if private ones are allowed`, async (t) => {
    const canary = await startCanary(t, LOOPBACK);
    const resolver = await resolving(t, byName);
    const names = ['metadata', 'mappedmetadata', 'nat64metadata'].map((label) => `${label}.policy.test`);
    await demandBlocked(sample, [...METADATA, ...names], canary, { ...OPEN, resolver });
  });

  test(`${sample.name}: one forbidden address among the answers is enough for a refusal`, async (t) => {
    const canary = await startCanary(t, LOOPBACK);
    const answers: string[][] = [
      ['127.0.0.1', '169.254.169.254'],
      ['1.1.1.1', '127.0.0.1'],
    ];
    for (const [index, context] of [OPEN, CLOSED].entries()) {
      const resolver = await resolving(t, (_, type) => (type === 'A' ? (answers[index] ?? []) : []));
      await demandBlocked(sample, ['mixed.policy.test'], canary, { ...context, resolver });
    }
  });

  if (sample.type !== 'ping')
    test(`${sample.name}: an answer that changes after the lookup leads nowhere else`, async (t) => {
      const vetted = await startCanary(t, ['127.0.0.1', '127.0.0.2']);
      let asked = 0;
      // The later answer is allowed too, but it is not the vetted one.
      const resolver = await resolving(t, (_, type) => {
        if (type === 'AAAA') return [];
        asked += 1;
        return [asked === 1 ? '127.0.0.2' : '127.0.0.1'];
      });
      await checkAt(sample, 'rebinding.policy.test', vetted.port, { ...OPEN, resolver });
      assert.equal(asked, 1);
      assert.ok(vetted.touched.length > 0);
      assert.deepEqual([...new Set(vetted.touched.map((touch) => touch.split(' ')[1]))], ['127.0.0.2']);
    });
}

/** Types that follow redirects, with a server that redirects them; the first hop is allowed, later ones are not. */
for (const sample of SAMPLES.filter(({ name }) => ['http', 'domain', 'domain by list'].includes(name))) {
  test(`${sample.name}: a redirect to a private address is refused before a packet is sent`, async (t) => {
    const canary = await startCanary(t, LOOPBACK);
    const resolver = await resolving(t, byName);
    const hosts = ['127.0.0.1', '2130706433', '0177.0.0.1', '0x7f000001', '[::1]', '[::ffff:127.0.0.1]'];
    for (const host of [...hosts, 'loopback.policy.test', 'mapped.policy.test', 'localhost']) {
      const policy = { allowPrivate: true };
      const port = await httpServer(t, (_, response) => {
        policy.allowPrivate = false;
        response.writeHead(302, { location: `http://${host}:${canary.port}/` }).end();
      });
      const seen = await checkAt(sample, '127.0.0.1', port, {
        policy,
        resolver: host === 'localhost' ? undefined : resolver,
      });
      assert.deepEqual([host, ...verdictOf(seen)], [host, ...BLOCKED]);
    }
    assert.deepEqual(canary.touched, []);
  });

  test(`${sample.name}: a redirect to metadata is refused even if private addresses are allowed`, async (t) => {
    for (const host of ['169.254.169.254', '2852039166', '[::ffff:a9fe:a9fe]', '[64:ff9b::a9fe:a9fe]']) {
      const port = await httpServer(t, (_, response) =>
        response.writeHead(301, { location: `http://${host}/latest/meta-data/` }).end(),
      );
      assert.deepEqual(
        [host, ...verdictOf(await checkAt(sample, '127.0.0.1', port, OPEN))],
        [host, ...BLOCKED],
      );
    }
  });

  test(`${sample.name}: a redirect to another scheme is not followed`, async (t) => {
    const canary = await startCanary(t, LOOPBACK);
    const addresses = ['ftp', 'gopher', 'ws', 'redis'].map(
      (scheme) => `${scheme}://127.0.0.1:${canary.port}/x`,
    );
    for (const location of [...addresses, 'file:///etc/hostname', 'data:,x']) {
      const port = await httpServer(t, (_, response) => response.writeHead(302, { location }).end());
      const seen = await checkAt(sample, '127.0.0.1', port, OPEN);
      const expected = sample.type === 'http' ? 'unsupported_redirect' : 'rdap_unavailable';
      assert.deepEqual([location, seen.failure_class], [location, expected]);
    }
    assert.deepEqual(canary.touched, []);
  });
}

test('websocket: redirects are never followed', async (t) => {
  const canary = await startCanary(t, LOOPBACK);
  for (const location of [`ws://127.0.0.1:${canary.port}/`, `http://[::1]:${canary.port}/`]) {
    const port = await httpServer(t, (_, response) => response.writeHead(302, { location }).end());
    const seen = await checkOnce('websocket', { url: `ws://127.0.0.1:${port}/` });
    assert.equal(seen.failure_class, 'http_status');
  }
  assert.deepEqual(canary.touched, []);
});

test('domain: the registry in IANA’s list is vetted as well', async (t) => {
  const canary = await startCanary(t, LOOPBACK);
  const policy = { allowPrivate: true };
  const port = await httpServer(t, (_, response) => {
    policy.allowPrivate = false;
    response.end(JSON.stringify({ services: [[['com'], [`http://127.0.0.1:${canary.port}/`]]] }));
  });
  const rdap = { bootstrapUrl: `http://127.0.0.1:${port}/` };
  const seen = await checkOnce('domain', { domain: 'example.com' }, { policy, rdap });
  assert.deepEqual(verdictOf(seen), BLOCKED);
  assert.deepEqual(canary.touched, []);
});

test('domain: a check never connects to the domain itself', async (t) => {
  const port = await httpServer(t, (_, response) =>
    response
      .setHeader('content-type', 'application/rdap+json')
      .end(JSON.stringify(registration('loopback.test', 90))),
  );
  let asked = 0;
  const resolver = await resolving(t, () => {
    asked += 1;
    return ['127.0.0.1'];
  });
  const rdap = { baseUrl: `http://127.0.0.1:${port}` };
  const seen = await checkOnce('domain', { domain: 'loopback.test' }, { ...OPEN, resolver, rdap });
  assert.deepEqual([seen.status, asked], ['up', 0]);
});
