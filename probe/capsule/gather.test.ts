import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Capsule } from '#src/capsules/contract.ts';
import { problemOf } from '#src/platform/http/validate.ts';
import { createResolver } from '#src/platform/outbound/resolve.ts';
import { authority } from '#test/harness/certificates.ts';
import { dnsServer } from '#test/harness/dns-server.ts';
import { httpConfig } from '#test/harness/http-check.ts';
import { closedPort, httpServer } from '#test/harness/listeners.ts';
import { gather } from './gather.ts';
import { hopsOf } from './trace-route.ts';

const HOME = { policy: { allowPrivate: true }, keepPrivate: true };
const SOA = {
  type: 'SOA' as const,
  name: 'example.test',
  ttl: 60,
  data: {
    mname: 'ns1.example.test',
    rname: 'a.example.test',
    serial: 1,
    refresh: 1,
    retry: 1,
    expire: 1,
    minimum: 1,
  },
};
const whyNot = ({ left_out }: Capsule) => Object.fromEntries(left_out.map(({ part, why }) => [part, why]));

/** Gathers, and checks that the server accepts the result as it is. */
async function gathered(type: string, config: unknown, context: Parameters<typeof gather>[2] = HOME) {
  const capsule = await gather(type, config, context);
  assert.equal(problemOf(Capsule, JSON.parse(JSON.stringify(capsule))), null);
  assert.ok(Buffer.byteLength(JSON.stringify(capsule)) < 60_000);
  return capsule;
}

/** A `traceroute` before all others in the PATH. */
async function fakeTraceroute(t: TestContext, script: string): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'traceroute-'));
  const path = process.env.PATH;
  t.after(async () => {
    process.env.PATH = path;
    await rm(dir, { recursive: true });
  });
  await writeFile(join(dir, 'traceroute'), `#!/bin/sh\n${script}\n`);
  await chmod(join(dir, 'traceroute'), 0o755);
  process.env.PATH = `${dir}:${path}`;
}

test('for a failing https target: DNS and its zone, connections, certificates, route and response, without credentials', async (t) => {
  const ca = await authority();
  const issued = await ca.issue({ names: ['shop.example.test'] });
  const server = createTlsServer(issued, (incoming, response) =>
    response
      .writeHead(503, { 'set-cookie': 'sid=open-sesame', 'x-said': incoming.headers.authorization ?? '' })
      .end(`<h1>down</h1> token=open-sesame ${'x '.repeat(4_000)}`),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const names = await dnsServer(t, ({ question }) => {
    if (question.type === 'NS')
      return question.name === 'example.test'
        ? { answers: [{ type: 'NS', name: 'example.test', ttl: 60, data: 'ns1.example.test' }] }
        : { authorities: [SOA] };
    if (question.type !== 'A') return { answers: [] };
    return {
      answers: [
        { type: 'CNAME', name: 'shop.example.test', ttl: 300, data: 'edge.example.test' },
        { type: 'A', name: 'edge.example.test', ttl: 60, data: '127.0.0.1' },
      ],
    };
  });
  await fakeTraceroute(
    t,
    "echo 'traceroute to x'; echo ' 1  10.1.1.1  0.512 ms'; echo ' 2  *'; echo ' 3  127.0.0.1  1.9 ms'",
  );
  const resolver = createResolver({ servers: [`127.0.0.1:${names.port}`] });
  const config = httpConfig({
    url: `https://shop.example.test:${port}/`,
    auth: { kind: 'bearer', token: 'open-sesame' },
    tls: { verify: false },
  });
  const capsule = await gathered('http', config, { ...HOME, resolver });
  assert.doesNotMatch(JSON.stringify(capsule), /sesame/);
  assert.deepEqual([capsule.host, capsule.private, capsule.withheld], ['shop.example.test', true, false]);
  assert.deepEqual(capsule.dns?.servers[0]?.answers, [
    'shop.example.test 300 CNAME edge.example.test',
    'edge.example.test 60 A 127.0.0.1',
  ]);
  assert.deepEqual(capsule.dns?.servers[0]?.rcode, 'NOERROR');
  assert.deepEqual(capsule.dns?.zone, { name: 'example.test', name_servers: ['ns1.example.test'] });
  assert.deepEqual(
    capsule.connections?.map(({ address, error }) => [address, error]),
    [['127.0.0.1', null]],
  );
  assert.deepEqual(capsule.tls?.certificates[0]?.names, ['shop.example.test']);
  assert.match(capsule.tls?.error ?? '', /not trusted here/);
  assert.match(capsule.tls?.certificates[0]?.fingerprint_sha256 ?? '', /^[0-9A-F:]{95}$/);
  assert.deepEqual(capsule.route?.hops, [
    { hop: 1, address: '10.1.1.1', took_ms: 0.512 },
    { hop: 2, address: null, took_ms: null },
    { hop: 3, address: '127.0.0.1', took_ms: 1.9 },
  ]);
  assert.equal(capsule.response?.excerpt?.status_code, 503);
  assert.match(capsule.response?.excerpt?.body ?? '', /^<h1>down<\/h1> token=•••• x x/);
  assert.equal(Buffer.byteLength(capsule.response?.excerpt?.body ?? ''), 4_096);
  assert.deepEqual(capsule.left_out, []);
});

test('for a name that does not exist: the name server’s answer, and that there is no address to connect to', async (t) => {
  const names = await dnsServer(t, () => ({ rcode: 3, answers: [] }));
  const resolver = createResolver({ servers: [`127.0.0.1:${names.port}`] });
  const capsule = await gathered(
    'tcp',
    { host: 'gone.example.test', port: 25, tls: false, ip_family: 'auto' },
    { ...HOME, resolver },
  );
  assert.equal(capsule.dns?.servers[0]?.rcode, 'NXDOMAIN');
  assert.deepEqual(whyNot(capsule), {
    connections: 'unresolved',
    tls: 'no_tls',
    route: 'unresolved',
    response: 'no_http',
  });
});

test('for a dns monitor: the answer of its own server to its own question', async (t) => {
  const names = await dnsServer(t, ({ question }) =>
    question.type === 'MX'
      ? {
          answers: [
            {
              type: 'MX',
              name: question.name,
              ttl: 9,
              data: { preference: 10, exchange: 'mx.example.test' },
            },
          ],
        }
      : { answers: [] },
  );
  const capsule = await gathered('dns', {
    ...{ host: 'example.test', record_type: 'MX', resolver: '127.0.0.1', port: names.port, transport: 'tcp' },
  });
  assert.equal(capsule.dns?.question, 'example.test MX');
  assert.deepEqual(
    capsule.dns?.servers.map(({ answers }) => answers),
    [['example.test 9 MX 10 mx.example.test']],
  );
  assert.ok(names.asked.every(({ transport }) => transport === 'tcp'));
});

test('a refused connection, an address instead of a name, and a missing traceroute are reported', async (t) => {
  await fakeTraceroute(t, 'echo "traceroute: Operation not permitted" >&2; exit 1');
  const port = await closedPort();
  const capsule = await gathered('tcp', { host: '127.0.0.1', port, tls: true, ip_family: 'auto' });
  assert.match(capsule.connections?.[0]?.error ?? '', /refused the connection/);
  assert.match(capsule.tls?.error ?? '', /refused the connection/);
  assert.deepEqual(whyNot(capsule), { dns: 'address', route: 'no_tool', response: 'no_http' });
});

test('name servers in the operator’s network are not shown to tenants', async (t) => {
  const names = await dnsServer(t, ({ question, id }) => {
    if (question.type === 'A')
      return { answers: [{ type: 'A', name: question.name, ttl: 1, data: '192.0.2.7' }] };
    // Announces a question, and ends.
    const broken = Buffer.alloc(12);
    broken.writeUInt16BE(id, 0);
    broken.writeUInt8(0x80, 2);
    broken.writeUInt16BE(1, 4);
    return broken;
  });
  const resolver = createResolver({ servers: [`127.0.0.1:${names.port}`] });
  const host = { host: 'shop.example.test', ip_family: '4' };
  const strangers = await gathered('ping', host, { policy: { allowPrivate: false }, resolver });
  assert.equal(strangers.withheld, false);
  assert.deepEqual(
    strangers.dns?.servers.map(({ server }) => server),
    ['private 1'],
  );
  assert.match(strangers.dns?.servers[0]?.error ?? '', /^private 1 sent an answer that cannot be used/);
  assert.doesNotMatch(JSON.stringify(strangers.dns), /127\.0\.0\.1/);
  const own = await gathered('ping', host, { ...HOME, resolver });
  assert.match(own.dns?.servers[0]?.server ?? '', /^127\.0\.0\.1:/);
});

test('a request with side effects is not repeated, nor one whose response may not be stored', async (t) => {
  let asked = 0;
  const port = await httpServer(t, (_, response) => {
    asked += 1;
    response.writeHead(500).end();
  });
  const url = `http://127.0.0.1:${port}/`;
  assert.equal(whyNot(await gathered('http', httpConfig({ url, method: 'POST' }))).response, 'method');
  assert.equal(whyNot(await gathered('http', httpConfig({ url, keep_response: false }))).response, 'off');
  assert.equal(asked, 0);
  assert.equal((await gathered('http', httpConfig({ url }))).response?.excerpt?.status_code, 500);
  assert.equal(asked, 1);
});

test('a target that has changed by now is shown as it responds now', async (t) => {
  const port = await httpServer(t, (incoming, response) =>
    incoming.url === '/'
      ? response.writeHead(302, { location: '/ok' }).end()
      : response.end('all well again'),
  );
  const { response } = await gathered('http', httpConfig({ url: `http://127.0.0.1:${port}/` }));
  assert.deepEqual(
    [response?.excerpt?.status_code, response?.excerpt?.body, response?.error],
    [200, 'all well again', null],
  );
  assert.deepEqual(response?.redirects, [`302 to 127.0.0.1:${port}`]);
});

test('nothing about a private target is stored unless its region allows it, nor about a name that leads there', async (t) => {
  const port = await httpServer(t, (_, response) => response.writeHead(500).end('inside'));
  const config = httpConfig({ url: `http://127.0.0.1:${port}/` });
  const capsule = await gathered('http', config, { policy: { allowPrivate: true } });
  assert.deepEqual(
    [capsule.private, capsule.withheld, capsule.response, capsule.connections],
    [true, true, null, null],
  );
  const names = await dnsServer(t, ({ question }) => ({
    answers: [{ type: 'A', name: question.name, ttl: 1, data: '10.0.0.7' }],
  }));
  const resolver = createResolver({ servers: [`127.0.0.1:${names.port}`] });
  const named = await gathered(
    'ping',
    { host: 'db.example.test', ip_family: 'auto' },
    { policy: { allowPrivate: false }, resolver },
  );
  assert.deepEqual([named.withheld, named.dns], [true, null]);
});

test('it connects to nothing that checks may not reach, even through redirects or rebinding', async (t) => {
  let touched = 0;
  const inside = await httpServer(t, (_, response) => {
    touched += 1;
    response.end('inside');
  });
  const capsule = await gathered('http', httpConfig({ url: `http://127.0.0.1:${inside}/` }), {
    policy: { allowPrivate: false },
  });
  assert.deepEqual([capsule.connections, touched], [null, 0]);
  const policy = { allowPrivate: true };
  const outside = await httpServer(t, (_, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
  );
  const led = await gathered('http', httpConfig({ url: `http://127.0.0.1:${outside}/` }), {
    policy,
    keepPrivate: true,
  });
  assert.match(led.response?.error ?? '', /network policy/);
});

test('an endless target is abandoned in time, and a cancelled run ends at once', async (t) => {
  const port = await httpServer(t, () => undefined);
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 200);
  const startedAt = performance.now();
  await gather('http', httpConfig({ url: `http://127.0.0.1:${port}/` }), { ...HOME, signal: stop.signal });
  assert.ok(performance.now() - startedAt < 8_000);
});

test('the output of traceroute is parsed, and private routers are not shown to tenants', () => {
  const said =
    'traceroute to 1.1.1.1\n 1  192.168.0.1  0.4 ms\n 2  * \n 3  8.8.8.8  10.25 ms\n 4  *\n 5  *\nnonsense\n99  x';
  assert.deepEqual(
    hopsOf(said, false).map(({ hop, address }) => [hop, address]),
    [
      [1, 'private'],
      [2, null],
      [3, '8.8.8.8'],
      [4, null],
    ],
  );
  assert.equal(hopsOf(said, true)[0]?.address, '192.168.0.1');
  assert.deepEqual(hopsOf('', true), []);
});
