// Secrets of a monitor: masked in every answer, sealed in the database, open only for the probe
// (docs/rules/monitor-types.md#secrets).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { assertRefused } from '#test/harness/refused.ts';

const MASK = '••••';
const URL_OF = 'https://shop.example.com/health';
const KEY_PEM = '-----BEGIN PRIVATE KEY-----\nvery secret key\n-----END PRIVATE KEY-----\n';
const CERT_PEM = '-----BEGIN CERTIFICATE-----\npublic\n-----END CERTIFICATE-----\n';

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
});

let made = 0;
const create = (config: Record<string, unknown>) => {
  made += 1;
  const body = { name: `Monitor ${made}`, type: 'http', config: { url: URL_OF, ...config } };
  return app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, body);
};
type Config = { headers: Record<string, string>; auth: Record<string, string>; tls: Record<string, string> };
const configOf = (monitor: Monitor) => monitor.config as Config;

async function stored(monitor: Monitor): Promise<string> {
  const row = await app.db
    .selectFrom('monitors')
    .select('config')
    .where('id', '=', monitor.id)
    .executeTakeFirstOrThrow();
  return JSON.stringify(row.config);
}

async function atProbe(monitor: Monitor): Promise<Config> {
  const { monitors } = await app.probe().assignments();
  return monitors.find((assignment) => assignment.monitor_id === monitor.id)?.config as Config;
}

const SECRETS = {
  headers: {
    Authorization: 'secret one',
    'X-Api-Key': 'secret two',
    Cookie: 'secret=three',
    Accept: 'text/html',
  },
  secret_headers: ['x-API-key'],
  auth: { kind: 'basic', username: 'reader', password: 'secret four' },
  tls: { client_cert_pem: CERT_PEM, client_key_pem: KEY_PEM },
};

test('every secret is masked in answers, encrypted at rest, and reaches the probe in clear text', async () => {
  const monitor = await create(SECRETS);
  const { headers, auth, tls } = configOf(monitor);
  assert.deepEqual(headers, { Authorization: MASK, 'X-Api-Key': MASK, Cookie: MASK, Accept: 'text/html' });
  assert.deepEqual(auth, { kind: 'basic', username: 'reader', password: MASK });
  assert.deepEqual([tls.client_cert_pem, tls.client_key_pem], [CERT_PEM, MASK]);
  assert.doesNotMatch(await stored(monitor), /secret (one|two|four|key)|secret=three/);
  const sent = await atProbe(monitor);
  assert.deepEqual(sent.headers, SECRETS.headers);
  assert.deepEqual(sent.auth, SECRETS.auth);
  assert.equal(sent.tls.client_key_pem, KEY_PEM);
});

test('sending the mask back keeps the secret, even if other fields change', async () => {
  const monitor = await create({
    auth: { kind: 'bearer', token: 'keep me' },
    headers: { Authorization: 'me too', A: '1' },
  });
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, {
    config: { auth: { kind: 'bearer', token: MASK }, headers: { Authorization: MASK, A: '2' } },
  });
  const { auth, headers } = await atProbe(monitor);
  assert.deepEqual(auth, { kind: 'bearer', token: 'keep me' });
  assert.deepEqual(headers, { Authorization: 'me too', A: '2' });
});

test('a new secret replaces the old one, and null removes it', async () => {
  const monitor = await create({ auth: { kind: 'bearer', token: 'old' } });
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, {
    config: { auth: { kind: 'bearer', token: 'new' } },
  });
  assert.equal((await atProbe(monitor)).auth.token, 'new');
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { config: { auth: null } });
  assert.equal((await atProbe(monitor)).auth, null);
});

test('a secret that is sent again with its value is no change: a failure goes on being confirmed', async () => {
  const monitor = await create(SECRETS);
  const before = await stored(monitor);
  app.clock.advance(1000);
  await app.probe().says(monitor.id, 'down');
  const { confirming } = await app.alice.ok<Monitor>('PATCH', `/monitors/${monitor.id}`, {
    tags: ['shop'],
    config: { url: URL_OF, ...SECRETS },
  });
  assert.deepEqual(confirming, { failures: 1, required: 2 });
  assert.equal(await stored(monitor), before);
});

test('making a stored secret readable requires sending its value', async () => {
  const monitor = await create({ headers: { 'X-Key': 'secret' }, secret_headers: ['x-key'] });
  const path = `/monitors/${monitor.id}`;
  const refused = { status: 400, error: 'invalid_request', field: 'config.headers.X-Key' };
  assertRefused(await app.alice.send('PATCH', path, { config: { secret_headers: [] } }), refused);
  const masked = { secret_headers: [], headers: { 'X-Key': MASK } };
  assertRefused(await app.alice.send('PATCH', path, { config: masked }), refused);
  const open = { secret_headers: [], headers: { 'X-Key': 'open now' } };
  assert.equal(configOf(await app.alice.ok('PATCH', path, { config: open })).headers['X-Key'], 'open now');
});

test('a monitor with every kind of secret, at its longest, can be renamed', async () => {
  const monitor = await create({ ...SECRETS, auth: { kind: 'bearer', token: 't'.repeat(8192) } });
  const renamed = await app.alice.ok<Monitor>('PATCH', `/monitors/${monitor.id}`, { name: 'Another name' });
  assert.deepEqual(renamed, { ...monitor, name: 'Another name' });
  assert.equal((await atProbe(monitor)).tls.client_key_pem, KEY_PEM);
});

test('a header that becomes secret is encrypted from then on', async () => {
  const monitor = await create({ headers: { 'X-Key': 'was open' } });
  const after = await app.alice.ok<Monitor>('PATCH', `/monitors/${monitor.id}`, {
    config: { secret_headers: ['x-key'] },
  });
  assert.equal(configOf(after).headers['X-Key'], MASK);
  assert.doesNotMatch(await stored(monitor), /was open/);
  assert.equal((await atProbe(monitor)).headers['X-Key'], 'was open');
});

test('a text that looks encrypted is refused as a secret, even the stored text of another monitor', async () => {
  const one = await create({ auth: { kind: 'bearer', token: 'of one' } });
  const { auth } = JSON.parse(await stored(one)) as { auth: { token: string } };
  for (const token of [auth.token, 'sealed:1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA']) {
    const body = { name: 'Forged', type: 'http', config: { url: URL_OF, auth: { kind: 'bearer', token } } };
    const answer = await app.alice.send('POST', `/projects/${place.projectId}/monitors`, body);
    assertRefused(answer, { status: 400, error: 'invalid_request', field: 'config.auth.token' });
  }
});

test('a plain header that looks encrypted cannot become secret, and stops no check', async () => {
  const monitor = await create({ headers: { 'X-Plain': 'sealed:1:AAAA' } });
  assert.equal((await atProbe(monitor)).headers['X-Plain'], 'sealed:1:AAAA');
  const answer = await app.alice.send('PATCH', `/monitors/${monitor.id}`, {
    config: { secret_headers: ['x-plain'] },
  });
  assertRefused(answer, { status: 400, error: 'invalid_request', field: 'config.headers.X-Plain' });
});

test('a secret that can no longer be decrypted stops only the checks of its own monitor, until it is sent again', async () => {
  const broken = await create({ auth: { kind: 'bearer', token: 'lost' } });
  const other = await create({});
  const sealed = app.vault.seal('lost', 'another place');
  const config = JSON.stringify({ url: URL_OF, auth: { kind: 'bearer', token: sealed } });
  await app.db.updateTable('monitors').set({ config }).where('id', '=', broken.id).execute();
  assert.equal(await atProbe(broken), undefined);
  assert.ok(await atProbe(other));
  const path = `/monitors/${broken.id}`;
  const refused = { status: 400, error: 'invalid_request', field: 'config.auth.token' };
  assertRefused(await app.alice.send('PATCH', path, { name: 'Broken' }), refused);
  await app.alice.ok('PATCH', path, { config: { auth: { kind: 'bearer', token: 'found' } } });
  assert.equal((await atProbe(broken)).auth.token, 'found');
});

test('the activity log says that a secret was replaced, and does not show it', async () => {
  const monitor = await create(SECRETS);
  const auth = { ...configOf(monitor).auth, password: 'secret six' };
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { config: { auth } });
  const path = `/organizations/${place.orgId}/activity?resource_id=${monitor.id}&limit=1`;
  const [entry] = await app.alice.ok<{ before: Monitor; after: Monitor }[]>('GET', path);
  assert.equal(configOf(entry!.before).auth.password, MASK);
  assert.equal(configOf(entry!.after).auth.password, `${MASK} (new)`);
  assert.equal(configOf(entry!.after).tls.client_key_pem, MASK);
});

test('a token in the address is shown to people who may change the monitor, and to nobody else', async () => {
  const url = 'https://shop.example.com/health?token=of-the-shop&page=1';
  const { id } = await create({ url });
  const member = await app.person('mia', { [place.orgId]: 'member' });
  const all = `/organizations/${place.orgId}/monitors`;
  const seenBy = async (client: typeof member) => {
    const one = await client.ok<Monitor>('GET', `/monitors/${id}`);
    const listed = await client.ok<{ id: string; target: string }[]>('GET', all);
    return [(one.config as { url: string }).url, listed.find((row) => row.id === id)?.target];
  };
  // The list of all monitors shows no queries.
  assert.deepEqual(await seenBy(app.alice), [url, URL_OF]);
  assert.deepEqual(await seenBy(member), [url.replace('of-the-shop', MASK), URL_OF]);
  // Nor is it found letter by letter.
  assert.deepEqual(await member.ok('GET', `${all}?search=of-the-sh`), []);
});
