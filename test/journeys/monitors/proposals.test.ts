// "Paste a domain": a real probe looks at what is there, and proposes monitors (docs/rules/monitor-types.md#proposals).
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import type { Answer } from 'dns-packet';
import { SMTPServer } from 'smtp-server';
import { startProbe } from '#probe/start.ts';
import { check } from '#probe/types.ts';
import type { MonitorProposals } from '#src/check-now/propose/contract.ts';
import { MAX_PROPOSAL_CHECKS } from '#src/check-now/propose/propose.ts';
import { TESTS_PER_MINUTE } from '#src/check-now/test-limits.ts';
import type { CreatedMonitor } from '#src/monitors/many/contract.ts';
import { type Place, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { dnsServer } from '#test/harness/dns-server.ts';
import { fingerprint } from '#test/harness/fingerprint.ts';
import { closedPort, httpServer, httpsServer, tcpServer } from '#test/harness/listeners.ts';
import { rdapServer, registration } from '#test/harness/rdap-server.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { trustedAuthority } from '#test/harness/trust.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

const pathOf = ({ projectId }: Pick<Place, 'projectId'>) => `/projects/${projectId}/monitor-proposals`;
const propose = (address: string, region: string, place: Place = app.home) =>
  app.alice.send<MonitorProposals>('POST', pathOf(place), { address, region });

let regions = 0;
/**
 * A region whose probe asks these name servers and registries. What listens on a registered port of a name is at `ports` of
 * this machine instead.
 */
async function worldOf(
  t: TestContext,
  records: (name: string, type: string) => string[],
  { ports, rdapBaseUrl }: { ports: Record<number, number>; rdapBaseUrl: string },
): Promise<string> {
  const { port } = await dnsServer(t, ({ question: { name, type } }) => {
    const values = records(name, type);
    const data = (value: string) =>
      type === 'MX' ? { preference: Number(value.split(' ')[0]), exchange: value.split(' ')[1] } : value;
    return { answers: values.map((value) => ({ name, type, ttl: 60, data: data(value) }) as Answer) };
  });
  const nowhere = await closedPort();
  regions += 1;
  const slug = `world-${regions}`;
  const { token } = await app.region(slug);
  const dataDir = await mkdtemp(join(tmpdir(), 'probe-'));
  const probe = await startProbe({
    url: app.url,
    token,
    dataDir,
    log: () => undefined,
    dnsServers: [`127.0.0.1:${port}`],
    rdapBaseUrl,
    check: (type, config, context) => {
      const { url, port: given } = config as { url?: string; port?: number };
      if (url !== undefined) {
        const at = new URL(url);
        const usual = at.protocol === 'https:' ? 443 : 80;
        if (at.port === '') at.port = String(ports[usual] ?? nowhere);
        return check(type, { ...(config as object), url: at.href }, context);
      }
      const moved =
        given !== undefined && type !== 'dns'
          ? { port: ports[given] ?? (given < 1024 ? nowhere : given) }
          : {};
      return check(type, { ...(config as object), ...moved }, context);
    },
  });
  t.after(async () => {
    await probe.stop();
    await rm(dataDir, { recursive: true });
  });
  const asked = () => app.db.selectFrom('probes').select('asked_at').where('probe_id', '=', probe.probeId);
  await until(async () => (await asked().executeTakeFirst()) !== undefined, 'the probe is online');
  return slug;
}

const names = ({ proposals }: MonitorProposals) => proposals.map(({ monitor }) => monitor.name).sort();

test('a domain is scanned from website to mail server, and the selected monitors are created in one go', async (t) => {
  const ca = await trustedAuthority();
  const issued = await ca.issue({ names: ['shop.example.com'], untilDays: 60 });
  const registry = await rdapServer(t, (name) => (name === 'example.com' ? registration(name, 200.5) : 404));
  const mailServer = new SMTPServer({
    logger: false,
    authOptional: true,
    ...(await ca.issue({ names: ['mx.example.com'] })),
  });
  mailServer.on('error', () => undefined);
  t.after(() => new Promise<void>((resolve) => mailServer.close(() => resolve())));
  await new Promise<void>((resolve) => {
    mailServer.listen(0, '127.0.0.1', resolve);
  });
  const { port: smtp } = mailServer.server.address() as { port: number };
  const region = await worldOf(
    t,
    (name, type) => {
      if (type === 'A' && /^(shop|mx)\.example\.com$/.test(name)) return ['127.0.0.1'];
      return type === 'MX' && name === 'example.com' ? ['10 mx.example.com'] : [];
    },
    {
      rdapBaseUrl: registry.base,
      ports: { 443: await httpsServer(t, issued, (_, response) => response.end('ok')), 25: smtp },
    },
  );
  const before = await fingerprint(app.db);
  const { status, body } = await propose('shop.example.com', region);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(await fingerprint(app.db), before, 'nothing is stored');
  assert.deepEqual([body.host, body.region], ['shop.example.com', region]);
  assert.deepEqual(names(body), [
    'example.com · DNS MX',
    'example.com · Domain',
    'mx.example.com · SMTP 25',
    'shop.example.com',
    'shop.example.com · DNS A',
    'shop.example.com · TLS',
  ]);
  const of = (name: string) =>
    body.proposals.find(({ monitor }) => monitor.name === name) ?? assert.fail(`no ${name}`);
  assert.equal(of('shop.example.com').seen.response_code, 200);
  assert.equal(Math.round(of('shop.example.com · TLS').seen.metric_value ?? 0), 60);
  assert.equal(Math.floor(of('example.com · Domain').seen.metric_value ?? 0), 200);
  assert.ok(body.proposals.every(({ recommended }) => recommended));

  const monitors = body.proposals.map(({ monitor }) => monitor);
  const made = await app.alice.ok<CreatedMonitor[]>('POST', `/projects/${app.home.projectId}/monitors/bulk`, {
    monitors,
  });
  assert.ok(
    made.every(({ refusal }) => refusal === null),
    JSON.stringify(made),
  );
  const again = await propose('https://shop.example.com/', region);
  const ids = new Set(made.map(({ monitor_id }) => monitor_id));
  for (const { existing_monitor_id } of again.body.proposals) assert.ok(ids.has(existing_monitor_id));
  const other = await app.place();
  const elsewhere = await propose('shop.example.com', region, other);
  assert.ok(elsewhere.body.proposals.every(({ existing_monitor_id }) => existing_monitor_id === null));
});

test('a failing service is proposed all the same, a missing one is not', async (t) => {
  const registry = await rdapServer(t, () => 404);
  const page = await httpServer(t, (_, response) => response.writeHead(503).end());
  const region = await worldOf(t, (_, type) => (type === 'A' ? ['127.0.0.1'] : []), {
    rdapBaseUrl: registry.base,
    ports: { 80: page },
  });
  const { body } = await propose('down.example.com', region);
  assert.deepEqual(names(body), ['down.example.com', 'down.example.com · DNS A']);
  const http = body.proposals.find(({ monitor }) => monitor.type === 'http') ?? assert.fail();
  assert.deepEqual(
    [http.seen.response_code, http.recommended, (http.monitor.config as { url: string }).url],
    [503, true, 'http://down.example.com/'],
  );
  const port = await tcpServer(t, () => undefined);
  const bare = await propose(`127.0.0.1:${port}`, region);
  assert.deepEqual(
    bare.body.proposals.map(({ monitor }) => monitor.type),
    ['tcp'],
  );
});

test('an invalid address, and one that the region must not reach, are refused at the field', async () => {
  const slug = 'silent-for-proposals';
  await app.region(slug);
  const region = 'asked-for-proposals';
  await (await app.region(region)).assignments();
  const atAddress = { status: 400, error: 'invalid_target', field: 'address' };
  for (const [address, refusal] of [
    ['', { ...atAddress, reason: 'missing' }],
    ['two words', { ...atAddress, reason: 'whitespace' }],
    ['http://169.254.169.254/', atAddress],
    ['169.254.169.254', atAddress],
  ] as const)
    assertRefused(await propose(address, region), refusal, address);
  assertRefused(await propose('example.com', slug), {
    status: 400,
    error: 'invalid_request',
    field: 'region',
  });
  assert.deepEqual(await app.db.selectFrom('test_runs').select('id').execute(), []);
});

test('a proposal counts by its lookups towards the tests per minute', async () => {
  await using own = await startTestApp({ env: { RATE_LIMITS: 'on' } });
  const probe = own.probe();
  await probe.assignments();
  let busy = true;
  const working = (async () => {
    let assigned = await probe.assignments();
    while (busy) {
      for (const { test_id } of assigned.tests)
        await fetch(`${own.url}/probe/test-results`, {
          method: 'POST',
          headers: { authorization: `Bearer ${probe.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            ...{ probe_id: 'probe-1', test_id, judgements: [] },
            observed: { status: 'down', failure_class: 'refused', cause_layer: 'target_connect' },
          }),
        });
      assigned = await probe.assignments({ since: assigned.revision, epoch: assigned.epoch, wait: 0 });
    }
  })();
  const ask = () => own.alice.send('POST', pathOf(own.home), { address: 'shop.example.com' });
  for (let i = 0; i < Math.floor(TESTS_PER_MINUTE / MAX_PROPOSAL_CHECKS); i++)
    assert.equal((await ask()).status, 200);
  assertRefused(await ask(), { status: 429, error: 'rate_limited' });
  busy = false;
  await working;
});
