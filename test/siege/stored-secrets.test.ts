// A user who may edit a monitor but not read its secrets tries to have them sent to their own address: by "test now" and by
// PATCH, with the mask, without it, with a key that is narrowed to the monitor.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { startProbe } from '#probe/start.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { startAppOfFile, type TestApp } from '../harness/app.ts';
import type { Client } from '../harness/client.ts';
import { makeKeyHolder } from '../harness/keys.ts';
import { httpServer, tcpServer } from '../harness/listeners.ts';
import { assertRefused } from '../harness/refused.ts';

const MASK = '••••';
const SECRET = 'TOPSECRET-5f2a';
const CERT = '-----BEGIN CERTIFICATE-----\npublic\n-----END CERTIFICATE-----\n';
const KEY = `-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----\n`;
type Config = Record<string, unknown>;

let app: TestApp;
let path: string;
before(async () => {
  app = await startAppOfFile();
  path = `/projects/${app.home.projectId}/monitors`;
});

const HTTP = 'http://127.0.0.1:9301/';
const HTTP_MOVES: Config[] = [
  { url: 'http://127.0.0.1:9303/' },
  { url: 'http://127.0.0.2:9301/' },
  { url: 'https://127.0.0.1:9301/' },
  { tls: { verify: false } },
  { tls: { ca_pem: CERT } },
  { tls: { server_name: 'elsewhere.example.com' } },
];
const HOST_MOVES: Config[] = [{ host: '127.0.0.2' }, { port: 9303 }];

/** A secret of every kind, and every change that would send it elsewhere or less safely. */
const ATTACKED: { what: string; type: string; config: Config; field: string; moves: Config[] }[] = [
  {
    what: 'a bearer token',
    type: 'http',
    config: { url: HTTP, auth: { kind: 'bearer', token: SECRET } },
    field: 'auth.token',
    moves: HTTP_MOVES,
  },
  {
    what: 'a password of basic authentication',
    type: 'http',
    config: { url: HTTP, auth: { kind: 'basic', username: 'reader', password: SECRET } },
    field: 'auth.password',
    moves: HTTP_MOVES,
  },
  {
    what: 'a secret header',
    type: 'http',
    config: { url: HTTP, headers: { 'X-Key': SECRET }, secret_headers: ['x-key'] },
    field: 'headers.X-Key',
    moves: HTTP_MOVES,
  },
  {
    what: 'a client key',
    type: 'http',
    config: { url: 'https://127.0.0.1:9301/', tls: { client_cert_pem: CERT, client_key_pem: KEY } },
    field: 'tls.client_key_pem',
    moves: [
      { url: 'https://127.0.0.1:9303/' },
      { tls: { verify: false, client_cert_pem: CERT, client_key_pem: MASK } },
    ],
  },
  {
    what: 'a header of a WebSocket',
    type: 'websocket',
    config: { url: 'wss://127.0.0.1:9301/', headers: { Cookie: SECRET } },
    field: 'headers.Cookie',
    moves: [{ url: 'wss://127.0.0.1:9303/' }, { url: 'ws://127.0.0.1:9301/' }],
  },
  {
    what: 'gRPC metadata',
    type: 'grpc',
    config: { host: '127.0.0.1', port: 9301, metadata: { authorization: SECRET } },
    field: 'metadata.authorization',
    moves: [...HOST_MOVES, { tls: false }],
  },
  {
    what: 'a mail password',
    type: 'mail',
    config: {
      protocol: 'imap',
      host: '127.0.0.1',
      security: 'starttls',
      auth: { username: 'u', password: SECRET },
    },
    field: 'auth.password',
    moves: [...HOST_MOVES, { security: 'none' }, { protocol: 'pop3' }],
  },
  {
    what: 'a database password',
    type: 'database',
    config: { engine: 'postgres', host: '127.0.0.1', tls: true, username: 'u', password: SECRET },
    field: 'password',
    moves: [...HOST_MOVES, { tls: false }, { engine: 'mysql' }],
  },
];

let made = 0;
function make(type: string, config: Config): Promise<Monitor> {
  made += 1;
  return app.alice.ok<Monitor>('POST', path, { name: `Attacked ${made}`, type, config });
}
async function atProbe({ id }: Monitor): Promise<unknown> {
  const { monitors } = await app.probe().assignments();
  return monitors.find(({ monitor_id }) => monitor_id === id)?.config;
}
const narrowed = async (monitor: Monitor): Promise<Client> =>
  makeKeyHolder(app, app.alice, app.home.orgId, { scopes: ['monitors:write'], monitor_ids: [monitor.id] });

for (const { what, type, config, field, moves } of ATTACKED) {
  test(`${what} (${type}) is sent to no other destination`, async () => {
    const monitor = await make(type, config);
    const refused = { status: 400, error: 'invalid_request', field: `config.${field}` };
    const key = await narrowed(monitor);
    await app.probe().assignments();
    for (const move of moves) {
      const masked = { ...(monitor.config as Config), ...move };
      const url = `/monitors/${monitor.id}`;
      const refusal = await app.alice.send<{ message: string }>('PATCH', url, { config: masked });
      assertRefused(refusal, refused);
      assert.match(refusal.body.message, /send the secret again/);
      assertRefused(await key.send('PATCH', url, { config: move }), refused);
      const body = { type, config: masked, monitor_id: monitor.id };
      const tests = `/projects/${app.home.projectId}/monitor-tests`;
      assertRefused(await app.alice.send('POST', tests, body), refused);
    }
    const inOther = { type, config: monitor.config, monitor_id: monitor.id, region: await otherRegion() };
    const tests = `/projects/${app.home.projectId}/monitor-tests`;
    const refusal = await app.alice.send<{ message: string }>('POST', tests, inOther);
    assertRefused(refusal, { ...refused, reason: 'secret_other_region' });
    assert.match(refusal.body.message, /does not go to "other-[0-9]+"; send the secret again/);
    assert.ok(
      JSON.stringify(await atProbe(monitor)).includes(SECRET),
      'where it was meant for it still goes',
    );
  });
}

test('a secret that is sent again may go anywhere, and fields that are no destination change freely', async () => {
  const monitor = await make('http', { url: `${HTTP}a`, auth: { kind: 'bearer', token: SECRET } });
  const url = `/monitors/${monitor.id}`;
  await app.alice.ok('PATCH', url, { config: { url: `${HTTP}b?c`, method: 'POST', timeout_ms: 900 } });
  assert.ok(JSON.stringify(await atProbe(monitor)).includes(SECRET));
  const auth = { kind: 'bearer', token: 'known to the sender' };
  await app.alice.ok('PATCH', url, { config: { url: 'http://127.0.0.1:9303/', auth } });
  const sent = JSON.stringify(await atProbe(monitor));
  assert.ok(sent.includes('known to the sender') && !sent.includes(SECRET));
  await app.alice.ok('PATCH', url, { config: { url: 'http://127.0.0.1:9304/', auth: null } });
});

test('a test in another region accepts a secret that was sent again, and the stored one once the region is the monitor’s', async (t) => {
  const region = await realProbe(t);
  const authorizations: string[] = [];
  const target = await httpServer(t, (request, response) => {
    authorizations.push(String(request.headers.authorization));
    response.end('ok');
  });
  const url = `http://127.0.0.1:${target}/`;
  const monitor = await make('http', { url, auth: { kind: 'bearer', token: SECRET } });
  const tests = `/projects/${app.home.projectId}/monitor-tests`;
  const body = { type: 'http', region, monitor_id: monitor.id };
  const refused = { status: 400, error: 'invalid_request', field: 'config.auth.token' };
  const stolen = await app.alice.send('POST', tests, { ...body, config: monitor.config });
  assertRefused(stolen, { ...refused, reason: 'secret_other_region' });
  const known = { url, auth: { kind: 'bearer', token: 'known to the sender' } };
  await app.alice.ok('POST', tests, { ...body, config: known });
  await app.alice.ok('POST', tests, { ...body, config: { url } });
  assert.deepEqual(authorizations, ['Bearer known to the sender', 'undefined']);
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { regions: ['local', region], enabled: false });
  await app.alice.ok('POST', tests, { ...body, config: monitor.config });
  assert.equal(authorizations.at(-1), `Bearer ${SECRET}`);
});

test('with another type the mask has no meaning', async () => {
  const monitor = await make('http', { url: HTTP, headers: { Authorization: SECRET } });
  const config = { url: 'ws://127.0.0.1:9303/', headers: { Authorization: MASK } };
  const refused = { status: 400, error: 'invalid_request', field: 'config.headers.Authorization' };
  const body = { type: 'websocket', config };
  assertRefused(await app.alice.send('PATCH', `/monitors/${monitor.id}`, body), refused);
  const tests = `/projects/${app.home.projectId}/monitor-tests`;
  await app.probe().assignments();
  assertRefused(await app.alice.send('POST', tests, { ...body, monitor_id: monitor.id }), refused);
});

test('an address changed in the database alone gets no secret', async () => {
  const monitor = await make('http', { url: HTTP, auth: { kind: 'bearer', token: SECRET } });
  const { config } = await app.db
    .selectFrom('monitors')
    .select('config')
    .where('id', '=', monitor.id)
    .executeTakeFirstOrThrow();
  const moved = JSON.stringify({ ...(config as Config), url: 'http://127.0.0.1:9303/' });
  await app.db.updateTable('monitors').set({ config: moved }).where('id', '=', monitor.id).execute();
  const { monitors } = await app.probe().assignments();
  assert.equal(
    monitors.find(({ monitor_id }) => monitor_id === monitor.id),
    undefined,
  );
});

test('secrets that an earlier version encrypted without a destination keep working, and are bound when their config is written', async () => {
  const monitor = await make('http', { url: HTTP, auth: { kind: 'bearer', token: 'new' } });
  const url = `/monitors/${monitor.id}`;
  const token = app.vault.seal(SECRET, `monitor ${monitor.id} config.auth.token`);
  const config = JSON.stringify({ url: HTTP, auth: { kind: 'bearer', token } });
  await app.db.updateTable('monitors').set({ config }).where('id', '=', monitor.id).execute();
  assert.ok(JSON.stringify(await atProbe(monitor)).includes(SECRET));
  const refused = { status: 400, error: 'invalid_request', field: 'config.auth.token' };
  const elsewhere = { config: { url: 'http://127.0.0.1:9303/' } };
  assertRefused(await app.alice.send('PATCH', url, elsewhere), refused);
  await app.alice.ok('PATCH', url, { config: { timeout_ms: 900 } });
  assert.ok(JSON.stringify(await atProbe(monitor)).includes(SECRET));
  const row = await app.db
    .selectFrom('monitors')
    .select('config')
    .where('id', '=', monitor.id)
    .executeTakeFirstOrThrow();
  const bound = (row.config as { auth: { token: string } }).auth.token;
  assert.throws(() => app.vault.open(bound, `monitor ${monitor.id} config.auth.token`));
});

test('a real probe sends the secret to its destination, and the attacker’s listener receives nothing', async (t) => {
  const region = await realProbe(t);
  const authorizations = { own: [] as string[], attackers: 0 };
  const own = await httpServer(t, (request, response) => {
    authorizations.own.push(String(request.headers.authorization));
    response.end('ok');
  });
  const attackers = await tcpServer(t, () => (authorizations.attackers += 1));
  const config = { url: `http://127.0.0.1:${own}/`, auth: { kind: 'bearer', token: SECRET } };
  const monitor = await make('http', config);
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { regions: [region], enabled: false });
  const tests = `/projects/${app.home.projectId}/monitor-tests`;
  const masked = { type: 'http', region, monitor_id: monitor.id, config: monitor.config };
  await app.alice.ok('POST', tests, masked);
  assert.deepEqual(authorizations.own, [`Bearer ${SECRET}`]);
  const url = `http://127.0.0.1:${attackers}/`;
  const stolen = await app.alice.send('POST', tests, {
    ...masked,
    config: { ...(monitor.config as Config), url },
  });
  assertRefused(stolen, { status: 400, error: 'invalid_request', field: 'config.auth.token' });
  assert.equal(authorizations.attackers, 0);
});

let others = 0;
/** A region with a probe online but without monitors; returns its slug. */
async function otherRegion(): Promise<string> {
  others += 1;
  const slug = `other-${others}`;
  await (await app.region(slug)).assignments();
  return slug;
}

/** A region with a real probe in it; returns its slug. */
async function realProbe(t: TestContext): Promise<string> {
  others += 1;
  const slug = `real-${others}`;
  const { token } = await app.region(slug);
  const dataDir = await mkdtemp(join(tmpdir(), 'probe-'));
  const probe = await startProbe({ url: app.url, token, dataDir, log: () => undefined });
  t.after(async () => {
    await probe.stop();
    await rm(dataDir, { recursive: true });
  });
  const asked = () => app.db.selectFrom('probes').select('asked_at').where('probe_id', '=', probe.probeId);
  while (!(await asked().executeTakeFirst())) await new Promise((resolve) => setImmediate(resolve));
  return slug;
}
