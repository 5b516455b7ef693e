import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caddyConfig, type EdgeSettings, namesOf } from './caddy-config.ts';

const SETTINGS: EdgeSettings = {
  upstreams: ['127.0.0.1:3300'],
  askUrl: 'http://127.0.0.1:3300/edge/ask',
  httpPort: 80,
  httpsPort: 443,
  authority: 'public',
  acmeEmail: null,
};
const NAMES = ['status.example.com', 'a.example.org'];

type Route = {
  match?: { host: string[] }[];
  handle: {
    handler: string;
    status_code?: number;
    headers?: { Location?: string[] };
    [name: string]: unknown;
  }[];
  terminal?: boolean;
};
type Made = {
  apps: {
    http: {
      http_port: number;
      https_port: number;
      servers: Record<
        'http' | 'https',
        {
          listen: string[];
          protocols: string[];
          automatic_https: { disable: boolean };
          tls_connection_policies?: unknown[];
          routes: Route[];
        }
      >;
    };
    tls: { automation: { on_demand: { ask: string }; policies: { [name: string]: unknown }[] } };
    pki?: unknown;
  };
  admin?: unknown;
};

const made = (settings: Partial<EdgeSettings> = {}, names: readonly string[] = NAMES) =>
  caddyConfig({ ...SETTINGS, ...settings }, names) as unknown as Made;

test('the https server proxies exactly the served names, and has nothing for others', () => {
  const { https } = made().apps.http.servers;
  assert.deepEqual(https.listen, [':443']);
  assert.deepEqual(https.protocols, ['h1', 'h2', 'h3']);
  assert.equal(https.automatic_https.disable, true);
  const [served, other, ...more] = https.routes;
  assert.deepEqual(served?.match, [
    { host: ['a.example.org', 'a.example.org.', 'status.example.com', 'status.example.com.'] },
  ]);
  assert.equal(served?.handle[0]?.handler, 'reverse_proxy');
  assert.equal(served?.terminal, true);
  assert.equal(other?.match, undefined);
  assert.equal(other?.handle[0]?.status_code, 404);
  assert.deepEqual(more, []);
});

test('a handshake for another name finds no certificate and no policy that would order one', () => {
  const { http, tls } = made().apps;
  const served = ['a.example.org', 'status.example.com'];
  assert.deepEqual(http.servers.https.tls_connection_policies, [{ match: { sni: served } }]);
  assert.deepEqual(tls.automation.policies, [{ subjects: served, on_demand: true }]);
  assert.deepEqual(tls.automation.on_demand, { ask: SETTINGS.askUrl });
});

test('without names nothing is served, and no policy remains that would cover all names', () => {
  const { http, tls } = made({}, []).apps;
  for (const server of [http.servers.http, http.servers.https])
    assert.deepEqual(
      server.routes.map(({ match, handle }) => [match, handle[0]?.status_code]),
      [[undefined, 404]],
    );
  assert.deepEqual(http.servers.https.tls_connection_policies, [{ match: { sni: [] } }]);
  assert.deepEqual(tls.automation.policies, []);
});

test('the same names in any order, even repeated, give the same configuration', () => {
  assert.deepEqual(made({}, ['b.example', 'a.example', 'b.example']), made({}, ['a.example', 'b.example']));
});

for (const [httpsPort, location] of [
  [443, 'https://{http.request.host}{http.request.uri}'],
  [8443, 'https://{http.request.host}:8443{http.request.uri}'],
] as const)
  test(`http redirects to https on port ${httpsPort}, for the served names alone`, () => {
    const { http } = made({ httpsPort, httpPort: 8080 }).apps;
    assert.deepEqual([http.http_port, http.https_port], [8080, httpsPort]);
    assert.deepEqual(http.servers.http.listen, [':8080']);
    const [served, other] = http.servers.http.routes;
    assert.equal(served?.handle[0]?.status_code, 308);
    assert.deepEqual(served?.handle[0]?.headers?.Location, [location]);
    assert.ok(served?.match?.[0]?.host.includes('status.example.com'));
    assert.equal(other?.handle[0]?.status_code, 404);
  });

test('streams are not buffered, and requests wait for a restarting server', () => {
  const proxy = made().apps.http.servers.https.routes[0]?.handle[0];
  assert.deepEqual(proxy?.upstreams, [{ dial: '127.0.0.1:3300' }]);
  assert.equal(proxy?.flush_interval, -1);
  assert.match(JSON.stringify(proxy?.load_balancing), /"try_duration":"5s"/);
  assert.equal(proxy?.health_checks, undefined, 'the only one is never left out');
});

test('of several servers one that does not answer is skipped for a while', () => {
  const proxy = made({ upstreams: ['10.0.0.1:3300', '[::1]:3300'] }).apps.http.servers.https.routes[0]
    ?.handle[0];
  assert.deepEqual(proxy?.upstreams, [{ dial: '10.0.0.1:3300' }, { dial: '[::1]:3300' }]);
  assert.deepEqual(proxy?.health_checks, { passive: { fail_duration: '10s', max_fails: 1 } });
});

const DIRECTORY = 'https://ca.example.com/acme/directory';
for (const [authority, acmeEmail, issuers] of [
  ['public', null, undefined],
  ['public', 'ops@example.com', [{ module: 'acme', email: 'ops@example.com' }]],
  ['internal', 'ops@example.com', [{ module: 'internal' }]],
  [DIRECTORY, null, [{ module: 'acme', ca: DIRECTORY }]],
  [DIRECTORY, 'ops@example.com', [{ module: 'acme', ca: DIRECTORY, email: 'ops@example.com' }]],
] as const)
  test(`certificates of ${authority}${acmeEmail ? ' with an address' : ''} are by ${issuers ? JSON.stringify(issuers) : "Caddy's choice"}`, () => {
    const { tls, pki } = made({ authority, acmeEmail }).apps;
    assert.deepEqual(tls.automation.policies[0]?.issuers, issuers);
    const untrusted = { certificate_authorities: { local: { install_trust: false } } };
    assert.deepEqual(pki, authority === 'internal' ? untrusted : undefined);
  });

test('the configuration does not touch the admin listener', () => {
  assert.equal('admin' in made(), false);
});

test('the names of a configuration can be read back from it; a foreign one gives none', () => {
  assert.deepEqual([...namesOf(made())].sort(), NAMES.toSorted());
  for (const foreign of [null, {}, { apps: { http: { servers: { srv0: {} } } } }, 'text', { apps: 1 }])
    assert.equal(namesOf(foreign).size, 0);
  const odd = {
    apps: { http: { servers: { https: { tls_connection_policies: [{}, { match: { sni: [1] } }] } } } },
  };
  assert.equal(namesOf(odd).size, 0);
});
