// The secrets of every type that has any: sealed in the database, masked in every answer and in the activity log, open for
// the probe alone, kept where the mask is sent back (docs/rules/monitor-types.md#secrets).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { assertRefused } from '#test/harness/refused.ts';

const MASK = '••••';
type Config = Record<string, unknown>;

/** `SECRET` stands where each secret is: at its path, in a config that is otherwise plain. */
const WITH_SECRETS: { type: string; config: Config; paths: string[][] }[] = [
  {
    type: 'websocket',
    config: {
      url: 'wss://shop.example.com/live',
      headers: { Authorization: 'SECRET', 'X-Key': 'SECRET', Origin: 'https://shop.example.com' },
      secret_headers: ['x-key'],
    },
    paths: [
      ['headers', 'Authorization'],
      ['headers', 'X-Key'],
    ],
  },
  {
    type: 'grpc',
    config: {
      host: 'shop.example.com',
      port: 443,
      metadata: { authorization: 'SECRET', 'x-api-key': 'SECRET', 'x-tenant': 'shop' },
      secret_metadata: ['X-API-Key'],
    },
    paths: [
      ['metadata', 'authorization'],
      ['metadata', 'x-api-key'],
    ],
  },
  {
    type: 'mail',
    config: { protocol: 'imap', host: 'mail.example.com', auth: { username: 'probe', password: 'SECRET' } },
    paths: [['auth', 'password']],
  },
  {
    type: 'database',
    config: { engine: 'mysql', host: 'db.example.com', username: 'probe', password: 'SECRET' },
    paths: [['password']],
  },
];

let app: TestApp;
let place: Place;
let path: string;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
  path = `/projects/${place.projectId}/monitors`;
});

function filled(config: Config, secret: string): Config {
  return JSON.parse(JSON.stringify(config).replaceAll('"SECRET"', JSON.stringify(secret))) as Config;
}
const at = (config: unknown, keys: string[]) =>
  keys.reduce<unknown>((inner, key) => (inner as Config)[key], config);
/** Whatever the installation keeps or tells of it, but for what goes to the probe. */
async function everythingKept(monitor: Monitor): Promise<string> {
  const rows = await app.db.selectFrom('monitors').select('config').where('id', '=', monitor.id).execute();
  const log = await app.db.selectFrom('activity').selectAll().where('resource_id', '=', monitor.id).execute();
  const shown = await app.alice.ok('GET', `/monitors/${monitor.id}`);
  const listed = await app.alice.ok('GET', path);
  return JSON.stringify([rows, log, shown, listed, monitor]);
}
async function atProbe({ id }: Monitor): Promise<unknown> {
  const { monitors } = await app.probe().assignments();
  return monitors.find(({ monitor_id }) => monitor_id === id)?.config;
}

for (const { type, config, paths } of WITH_SECRETS) {
  const make = (secret: string, name: string) =>
    app.alice.ok<Monitor>('POST', path, { name: `${name} ${type}`, type, config: filled(config, secret) });

  test(`${type}: its secrets reach only the probe`, async () => {
    const monitor = await make('top secret one', 'Sealed');
    for (const keys of paths) assert.equal(at(monitor.config, keys), MASK);
    assert.doesNotMatch(await everythingKept(monitor), /top secret/);
    for (const keys of paths) assert.equal(at(await atProbe(monitor), keys), 'top secret one');
  });

  test(`${type}: the mask sent back keeps its secrets, a new value replaces them, and the log says so`, async () => {
    const monitor = await make('top secret two', 'Kept');
    const url = `/monitors/${monitor.id}`;
    assert.deepEqual(await app.alice.ok('PATCH', url, monitor), monitor);
    for (const keys of paths) assert.equal(at(await atProbe(monitor), keys), 'top secret two');
    await app.alice.ok('PATCH', url, { config: filled(config, 'top secret three') });
    for (const keys of paths) assert.equal(at(await atProbe(monitor), keys), 'top secret three');
    assert.doesNotMatch(await everythingKept(monitor), /top secret/);
    const log = `/organizations/${place.orgId}/activity?resource_id=${monitor.id}&limit=1`;
    const [entry] = await app.alice.ok<{ after: Monitor }[]>('GET', log);
    for (const keys of paths) assert.equal(at(entry!.after.config, keys), `${MASK} (new)`);
  });

  test(`${type}: the mask of a missing secret is refused`, async () => {
    const field = `config.${paths[0]?.join('.')}`;
    const body = { name: `Masked ${type}`, type, config: filled(config, MASK) };
    assertRefused(await app.alice.send('POST', path, body), { status: 400, error: 'invalid_request', field });
  });
}

test('metadata that becomes secret is encrypted from then on, and removing it from the list does not make it readable', async () => {
  const metadata = { 'x-token': 'was open' };
  const config = { host: 'shop.example.com', port: 443, metadata };
  const monitor = await app.alice.ok<Monitor>('POST', path, { name: 'Opened', type: 'grpc', config });
  const url = `/monitors/${monitor.id}`;
  assert.deepEqual(at(monitor.config, ['metadata']), metadata);
  const sealed = await app.alice.ok<Monitor>('PATCH', url, { config: { secret_metadata: ['x-token'] } });
  assert.equal(at(sealed.config, ['metadata', 'x-token']), MASK);
  const refused = { status: 400, error: 'invalid_request', field: 'config.metadata.x-token' };
  assertRefused(await app.alice.send('PATCH', url, { config: { secret_metadata: [] } }), refused);
});

test('the address of a heartbeat is shown to members, and kept out of the activity log', async () => {
  const config = { schedule: { kind: 'period', period_seconds: 60 } };
  const body = { name: 'Nightly', type: 'heartbeat', config };
  const monitor = await app.alice.ok<Monitor>('POST', path, body);
  const address = String(at(monitor.config, ['ping_url']));
  assert.match(address, /\/heartbeat\/[\w-]{27}$/);
  const changed = { config: { grace_seconds: 5 } };
  assert.equal(
    at((await app.alice.ok<Monitor>('PATCH', `/monitors/${monitor.id}`, changed)).config, ['ping_url']),
    address,
  );
  await app.alice.ok('DELETE', `/monitors/${monitor.id}`);
  const log = await app.db.selectFrom('activity').selectAll().where('resource_id', '=', monitor.id).execute();
  assert.deepEqual(
    log.map(({ action }) => action).sort(),
    ['create', 'delete', 'update'].map((verb) => `monitor.${verb}`),
  );
  assert.ok(!JSON.stringify(log).includes(address));
  assert.ok(JSON.stringify(log).includes(`"ping_url":"${MASK}"`));
});
