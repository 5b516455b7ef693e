// The targets of every monitor type: each of the interface's reasons wherever it applies, on create and on update, and
// addresses that the network policy of the regions refuses (docs/rules/monitor-types.md#targets).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { InvalidTargetReason, MonitorType } from '#src/domain/names.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { monitorSamples } from '#test/harness/monitor-samples.ts';
import { assertRefused } from '#test/harness/refused.ts';

type Case = [value: unknown, reason: InvalidTargetReason];

const HOSTS: Case[] = [
  ['', 'missing'],
  ['   ', 'missing'],
  [17, 'missing'],
  ['shop .example.com', 'whitespace'],
  ['shop.example.com\n', 'whitespace'],
  ['https://shop.example.com', 'scheme_in_host'],
  ['shop.example.com/health', 'path_in_host'],
  ['shop.example.com?a=b', 'path_in_host'],
  ['-shop.example.com', 'malformed_label'],
  ['shop..example.com', 'malformed_label'],
  ['shop.example.com:443', 'malformed_label'],
  ['[::g]', 'malformed_label'],
  [`${'a'.repeat(64)}.example.com`, 'too_long'],
  [`${'a.'.repeat(127)}example.com`, 'too_long'],
  [':443', 'no_host'],
  ['localhost', 'needs_two_labels'],
];
const URLS: Case[] = [
  ['', 'missing'],
  [' SCHEME://shop.example.com', 'whitespace'],
  ['SCHEME://ftp://shop.example.com', 'scheme_in_host'],
  ['SCHEME://shop..example.com', 'malformed_label'],
  [`SCHEME://shop.example.com/${'a'.repeat(2048)}`, 'too_long'],
  ['gopher://shop.example.com', 'unsupported_scheme'],
  ['shop.example.com', 'unsupported_scheme'],
  ['SCHEME://:8080/', 'no_host'],
  ['SCHEME://db:8080/', 'needs_two_labels'],
  ['SCHEME://shop.example.com:0/', 'port_range'],
  ['SCHEME://shop.example.com:65536/', 'port_range'],
];
const PORTS: Case[] = [0, -1, 65_536, 1.5, '443', true].map((port) => [port, 'port_range']);

const inUrl = (cases: Case[], scheme: string): Case[] =>
  cases.map(([value, reason]) => [String(value).replace('SCHEME', scheme), reason]);

/** Every field of every type in which a target is named. */
const FIELDS: [type: MonitorType, field: string, cases: Case[]][] = [
  ['http', 'url', inUrl(URLS, 'https')],
  ['websocket', 'url', inUrl(URLS, 'wss')],
  ['websocket', 'url', [['https://shop.example.com', 'unsupported_scheme']]],
  ['tcp', 'host', HOSTS],
  ['tcp', 'port', PORTS],
  ['ping', 'host', HOSTS],
  ['dns', 'host', HOSTS],
  ['dns', 'resolver', HOSTS],
  ['dns', 'port', PORTS],
  ['tls', 'host', HOSTS],
  ['tls', 'port', PORTS],
  ['tls', 'server_name', HOSTS],
  ['domain', 'domain', HOSTS],
  ['grpc', 'host', HOSTS],
  ['grpc', 'port', PORTS],
  ['mail', 'host', HOSTS],
  ['mail', 'port', PORTS],
  ['udp', 'host', HOSTS],
  ['udp', 'port', PORTS],
  ['database', 'host', HOSTS],
  ['database', 'port', PORTS],
];
/** Without them nothing can be checked. */
const NEEDED: [type: MonitorType, field: string][] = [
  ['http', 'url'],
  ['websocket', 'url'],
  ['tcp', 'host'],
  ['tcp', 'port'],
  ['ping', 'host'],
  ['dns', 'host'],
  ['tls', 'host'],
  ['domain', 'domain'],
  ['grpc', 'host'],
  ['grpc', 'port'],
  ['mail', 'host'],
  ['udp', 'host'],
  ['udp', 'port'],
  ['database', 'host'],
];
/** Of the fields, those that a check connects to. */
const CONNECTED = FIELDS.filter(
  ([type, field]) => (field === 'host' && type !== 'dns') || field === 'resolver',
);

const PRIVATE = [
  '127.0.0.1',
  '10.1.2.3',
  '2130706433',
  '0177.0.0.1',
  '0x7f.1',
  '::1',
  '[::1]',
  '::ffff:127.0.0.1',
  '[::ffff:10.0.0.1]',
  'fd00::1',
];
const NEVER = ['169.254.169.254', '0xA9FEA9FE', 'fe80::1', '224.0.0.1', '::ffff:169.254.169.254'];

const samples = monitorSamples({ agentId: '', memberId: '' });

let app: TestApp;
let place: Place;
let path: string;
before(async () => {
  app = await startAppOfFile({ env: { ALLOW_SINGLE_LABEL_HOSTS: 'off' } });
  await app.region('frankfurt', { allowPrivate: false });
  place = await app.place();
  path = `/projects/${place.projectId}/monitors`;
});

let made = 0;
function body(type: MonitorType, fields: Record<string, unknown>, regions = ['local']) {
  made += 1;
  return { name: `Monitor ${made}`, type, config: { ...samples[type].least, ...fields }, regions };
}

for (const [type, field, cases] of FIELDS)
  test(`${type}: config.${field} is refused with its reason, on create and on update`, async () => {
    const monitor = await app.alice.ok<Monitor>('POST', path, body(type, {}));
    for (const [value, reason] of cases) {
      const expected = { status: 400, error: 'invalid_target', field: `config.${field}`, reason };
      const what = `${JSON.stringify(value).slice(0, 60)}:`;
      assertRefused(await app.alice.send('POST', path, body(type, { [field]: value })), expected, what);
      const change = { config: { [field]: value } };
      assertRefused(await app.alice.send('PATCH', `/monitors/${monitor.id}`, change), expected, what);
    }
    assert.deepEqual(await app.alice.ok('GET', `/monitors/${monitor.id}`), monitor);
  });

for (const [type, field] of NEEDED)
  test(`${type}: creating without config.${field} is refused; an update without it keeps the current one`, async () => {
    const expected = { status: 400, error: 'invalid_target', field: `config.${field}`, reason: 'missing' };
    for (const without of [undefined, null])
      assertRefused(await app.alice.send('POST', path, body(type, { [field]: without })), expected);
    const monitor = await app.alice.ok<Monitor>('POST', path, body(type, {}));
    assert.deepEqual(await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { config: {} }), monitor);
    const cleared = { config: { [field]: null } };
    assertRefused(await app.alice.send('PATCH', `/monitors/${monitor.id}`, cleared), expected);
  });

for (const [type, field] of CONNECTED)
  test(`${type}: a private address in config.${field} is refused in every spelling, unless a region may reach it`, async () => {
    const refused = { status: 400, error: 'invalid_target', field: `config.${field}` };
    for (const address of PRIVATE) {
      const given = { [field]: address };
      assertRefused(await app.alice.send('POST', path, body(type, given, ['frankfurt'])), refused, address);
      const monitor = await app.alice.ok<Monitor>('POST', path, body(type, given));
      const moved = await app.alice.send('PATCH', `/monitors/${monitor.id}`, { regions: ['frankfurt'] });
      assertRefused(moved, refused, address);
    }
    for (const address of NEVER)
      assertRefused(await app.alice.send('POST', path, body(type, { [field]: address })), refused, address);
  });

test('websocket: a private address in config.url is refused unless a region may reach it', async () => {
  const refused = { status: 400, error: 'invalid_target', field: 'config.url' };
  for (const address of PRIVATE) {
    const host = address.includes(':') && !address.startsWith('[') ? `[${address}]` : address;
    const given = { url: `ws://${host}:8080/` };
    assertRefused(await app.alice.send('POST', path, body('websocket', given, ['frankfurt'])), refused, host);
    await app.alice.ok('POST', path, body('websocket', given));
  }
});

test('an address is not a valid name for DNS or a registry, except for the record type PTR', async () => {
  for (const address of ['93.184.216.34', '127.0.0.1', '2606:4700::1111', '2130706433']) {
    const name = await app.alice.send('POST', path, body('dns', { host: address }));
    assertRefused(name, { status: 400, error: 'invalid_target', field: 'config.host' }, address);
    const registered = await app.alice.send('POST', path, body('domain', { domain: address }));
    assertRefused(registered, { status: 400, error: 'invalid_target', field: 'config.domain' }, address);
  }
  // It is asked about and not connected to, so its network is nobody's concern.
  for (const host of ['10.1.2.3', '2606:4700::1111', '4.3.2.1.in-addr.arpa'])
    await app.alice.ok('POST', path, body('dns', { host, record_type: 'PTR' }, ['frankfurt']));
});

test('single-label names are valid targets where private addresses are, and anywhere if the operator says so', async () => {
  const refused = { status: 400, error: 'invalid_target', reason: 'needs_two_labels' };
  for (const everywhere of [false, true]) {
    const env = everywhere ? { ALLOW_SINGLE_LABEL_HOSTS: '1' } : undefined;
    const lan = await startAppOfFile(env ? { env } : {});
    await lan.region('frankfurt', { allowPrivate: false });
    const { projectId } = await lan.place();
    const made = (type: MonitorType, field: string, regions: string[]) =>
      lan.alice.send('POST', `/projects/${projectId}/monitors`, body(type, { [field]: 'db' }, regions));
    for (const [type, field] of [...CONNECTED, ['dns', 'host'], ['tls', 'server_name']] as const) {
      for (const regions of [['local'], ['frankfurt', 'local']])
        assert.equal((await made(type, field, regions)).status, 201, `${type} ${regions}`);
      const hosted = await made(type, field, ['frankfurt']);
      if (everywhere) assert.equal(hosted.status, 201, type);
      else assertRefused(hosted, { ...refused, field: `config.${field}` }, type);
    }
    const url = { type: 'http', config: { url: 'http://localhost:4010/' } };
    const first = await lan.alice.send('POST', `/projects/${projectId}/monitors`, { name: 'Mine', ...url });
    assert.equal(first.status, 201);
  }
});
