// What the configs of every monitor type refuse beside their targets, on create and on update (docs/rules/monitor-types.md).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { MONITOR_TYPES, type MonitorType, REGIONLESS_MONITOR_TYPES } from '#src/domain/names.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { newId } from '#src/platform/ids.ts';
import { insertAgent } from '#test/harness/agents.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { type MonitorSample, monitorSamples } from '#test/harness/monitor-samples.ts';
import { assertRefused } from '#test/harness/refused.ts';

type Config = Record<string, unknown>;

let app: TestApp;
let place: Place;
let path: string;
let samples: Record<MonitorType, MonitorSample>;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
  path = `/projects/${place.projectId}/monitors`;
  const agent = await insertAgent(app.db, { orgId: place.orgId, at: app.clock.now() });
  const member = { name: 'Member', type: 'http', config: { url: 'https://shop.example.com' } };
  const { id } = await app.alice.ok<Monitor>('POST', path, member);
  samples = monitorSamples({ agentId: agent.id, memberId: id });
});

let made = 0;
const body = (type: MonitorType, config: Config = {}, fields: Config = {}) => {
  made += 1;
  return { name: `Monitor ${made}`, type, config: { ...samples[type].least, ...config }, ...fields };
};

/** Ranges, values and combinations that are refused with `invalid_request`, and the field that is named. */
const WRONG: Partial<Record<MonitorType, [config: Config, field: string][]>> = {
  tcp: [
    [{ tls: 'yes' }, 'tls'],
    [{ expect: '' }, 'expect'],
    [{ send: 'x'.repeat(4097) }, 'send'],
    [{ timeout_ms: 99 }, 'timeout_ms'],
    [{ timeout_ms: 2000, degraded_after_ms: 2000 }, 'degraded_after_ms'],
    [{ ip_family: 6 }, 'ip_family'],
  ],
  ping: [
    [{ count: 0 }, 'count'],
    [{ count: 21 }, 'count'],
    [{ max_loss_pct: 101 }, 'max_loss_pct'],
    [{ max_loss_pct: 10, degraded_loss_pct: 11 }, 'degraded_loss_pct'],
    [{ port: 80 }, 'port'],
  ],
  dns: [
    [{ record_type: 'ANY' }, 'record_type'],
    [{ record_type: null }, 'record_type'],
    [{ transport: 'https' }, 'transport'],
    [{ expected_rcode: 'NO' }, 'expected_rcode'],
    [{ expected: { mode: 'some', values: ['a'] } }, 'expected.mode'],
    [{ expected: { mode: 'any', values: [] } }, 'expected.values'],
    [{ expected: { mode: 'any', values: ['a'] }, expected_rcode: 'NXDOMAIN' }, 'expected'],
    [{ record_type: 'A', expected: { mode: 'any', values: ['192.0.2.1', '::1'] } }, 'expected.values.1'],
    [{ record_type: 'A', expected: { mode: 'any', values: ['192.0.2'] } }, 'expected.values.0'],
    [{ record_type: 'AAAA', expected: { mode: 'any', values: ['192.0.2.1'] } }, 'expected.values.0'],
    [{ record_type: 'MX', expected: { mode: 'any', values: ['x mail.example.com'] } }, 'expected.values.0'],
    [{ record_type: 'SRV', expected: { mode: 'any', values: ['sip.example.com'] } }, 'expected.values.0'],
    [{ record_type: 'CAA', expected: { mode: 'any', values: ['letsencrypt.org'] } }, 'expected.values.0'],
    [{ record_type: 'CNAME', expected: { mode: 'any', values: ['a b'] } }, 'expected.values.0'],
    [{ degraded_after_ms: 5000 }, 'degraded_after_ms'],
  ],
  tls: [
    [{ starttls: 'ftp' }, 'starttls'],
    [{ warn_days: 2 }, 'warn_days'],
    [{ warn_days: 14, fail_days: 15 }, 'warn_days'],
    [{ fail_days: -1 }, 'fail_days'],
    [{ verify_chain: 1 }, 'verify_chain'],
  ],
  domain: [
    [{ warn_days: 3 }, 'warn_days'],
    [{ degraded_after_ms: 5 }, 'degraded_after_ms'],
  ],
  websocket: [
    [{ url: 'wss://me:secret@shop.example.com/' }, 'url'],
    [{ url: 'wss://shop.example.com/#top' }, 'url'],
    [{ subprotocol: 'a, b' }, 'subprotocol'],
    [{ headers: { 'Sec-WebSocket-Key': 'x' } }, 'headers.Sec-WebSocket-Key'],
    [{ headers: { Upgrade: 'x' } }, 'headers.Upgrade'],
    [{ headers: { 'X-A': 'a\r\nX-B: b' } }, 'headers.X-A'],
    [{ degraded_after_ms: 10_000 }, 'degraded_after_ms'],
  ],
  grpc: [
    [{ metadata: { 'grpc-timeout': '1S' } }, 'metadata.grpc-timeout'],
    [{ metadata: { 'content-type': 'x' } }, 'metadata.content-type'],
    [{ metadata: { te: 'trailers' } }, 'metadata.te'],
    [{ metadata: { 'a b': 'x' } }, 'metadata.a b'],
    [{ metadata: { 'a~b': 'x' } }, 'metadata.a~b'],
    [{ metadata: { name: 'äö' } }, 'metadata.name'],
    [{ metadata: { 'trace-bin': 'not base64!' } }, 'metadata.trace-bin'],
    [{ headers: {} }, 'headers'],
  ],
  mail: [
    [{ protocol: 'jmap' }, 'protocol'],
    [{ protocol: null }, 'protocol'],
    [{ security: 'ssl' }, 'security'],
    [{ auth: { username: 'a' } }, 'auth.password'],
    [{ auth: { username: 'a\r\nQUIT', password: 'b' } }, 'auth.username'],
    [{ auth: { username: 'a', password: 'b\nNOOP' } }, 'auth.password'],
  ],
  udp: [
    [{ payload: null }, 'payload'],
    [{ payload: 'é'.repeat(701) }, 'payload'],
    [{ payload: 'abc', encoding: 'hex' }, 'payload'],
    [{ payload: 'xy', encoding: 'hex' }, 'payload'],
    [{ payload: 'AA', encoding: 'base64' }, 'payload'],
    [{ payload: 'a_b=', encoding: 'base64' }, 'payload'],
    [{ payload: 'ff', encoding: 'hex', expect: 'pong' }, 'expect'],
    [{ encoding: 'utf8' }, 'encoding'],
  ],
  database: [
    [{ engine: 'oracle' }, 'engine'],
    [{ engine: 'redis', database: 'shop' }, 'database'],
    [{ query: '' }, 'query'],
    [{ query: 'DELETE FROM goods' }, 'query'],
    [{ engine: 'redis', query: 'CONFIG SET dir /tmp' }, 'query'],
    [{ engine: 'redis', query: 'GET "open' }, 'query'],
    [{ tls: null, user: 'x' }, 'user'],
  ],
  heartbeat: [
    [{ schedule: null }, 'schedule'],
    [{ schedule: { kind: 'period', period_seconds: 0 } }, 'schedule.period_seconds'],
    [{ schedule: { kind: 'cron', expression: '* * * *' } }, 'schedule.expression'],
    [{ schedule: { kind: 'cron', expression: '0 * * * * *' } }, 'schedule.expression'],
    [{ schedule: { kind: 'cron', expression: '61 * * * *' } }, 'schedule.expression'],
    [{ schedule: { kind: 'cron', expression: '0 0 30 2 *' } }, 'schedule.expression'],
    [{ schedule: { kind: 'cron', expression: '@daily' } }, 'schedule.expression'],
    [{ schedule: { kind: 'cron', expression: '0 4 * * *', timezone: 'Mars/Base' } }, 'schedule.timezone'],
    [{ schedule: { kind: 'cron', expression: '0 4 * * *', timezone: '+02:00' } }, 'schedule.timezone'],
    [{ grace_seconds: -1 }, 'grace_seconds'],
    [{ max_runtime_seconds: 0 }, 'max_runtime_seconds'],
    [{ ping_url: 'https://elsewhere.example.com/heartbeat/x' }, 'ping_url'],
  ],
  agent: [
    [{ metric: null }, 'metric'],
    [{ metric: 'cpu_pct' }, 'op'],
    [{ metric: 'cpu_pct', op: 'gt' }, 'threshold'],
    [{ metric: 'cpu_pct', op: 'eq', threshold: 1 }, 'op'],
    [{ metric: 'cpu_pct', op: 'gt', threshold: 80, degraded_threshold: 80 }, 'degraded_threshold'],
    [{ metric: 'temp_c', op: 'lt', threshold: 5, degraded_threshold: 4 }, 'degraded_threshold'],
    [{ window_seconds: 59 }, 'window_seconds'],
    [{ timeout_ms: 5000 }, 'timeout_ms'],
  ],
  service: [
    [{ kind: 'launchd' }, 'kind'],
    [{ expect: 'gone' }, 'expect'],
    [{ max_cpu_pct: -1 }, 'max_cpu_pct'],
    [{ service: null }, 'service'],
  ],
  group: [
    [{ rule: 'most' }, 'rule'],
    [{ rule: 'count' }, 'value'],
    [{ rule: 'count', value: 2 }, 'value'],
    [{ members: null }, 'members'],
    [{ members: [] }, 'members'],
    [{ members: [7] }, 'members.0'],
  ],
};

for (const [type, cases] of Object.entries(WRONG) as [MonitorType, [Config, string][]][])
  test(`${type}: invalid values of its config are refused, on create and on update`, async () => {
    const monitor = await app.alice.ok<Monitor>('POST', path, body(type));
    for (const [config, field] of cases) {
      const expected = { status: 400, error: 'invalid_request', field: `config.${field}` };
      const what = JSON.stringify(config).slice(0, 80);
      assertRefused(await app.alice.send('POST', path, body(type, config)), expected, what);
      assertRefused(await app.alice.send('PATCH', `/monitors/${monitor.id}`, { config }), expected, what);
    }
    assert.deepEqual(await app.alice.ok('GET', `/monitors/${monitor.id}`), monitor);
  });

test('every type refuses unknown fields', async () => {
  for (const type of MONITOR_TYPES) {
    for (const colour of ['red', null]) {
      const answer = await app.alice.send('POST', path, body(type, { colour }));
      assertRefused(answer, { status: 400, error: 'invalid_request', field: 'config.colour' }, type);
    }
  }
});

test('expected values of DNS records are accepted in every usual spelling', async () => {
  const values: [string, string][] = [
    ['AAAA', '2001:db8::1'],
    ['CNAME', 'Shop.Example.com.'],
    ['MX', '10 mail.example.com'],
    ['MX', 'mail.example.com.'],
    ['MX', '0 .'],
    ['NS', 'ns1.example.com'],
    ['SRV', '10 5 5060 sip.example.com.'],
    ['CAA', '0 issue "letsencrypt.org"'],
    ['TXT', 'v=spf1 -all'],
    ['SOA', 'ns1.example.com. admin.example.com. 1 7200 3600 1209600 3600'],
    ['PTR', 'shop.example.com.'],
  ];
  for (const [record_type, value] of values)
    await app.alice.ok(
      'POST',
      path,
      body('dns', { record_type, expected: { mode: 'all', values: [value] } }),
    );
});

test('a metric that no agent measures is refused, and a disk metric needs its mount', async () => {
  const refused = { status: 400, error: 'unknown_agent_metric', field: 'config.metric' };
  for (const metric of [
    '',
    'cpu',
    'CPU_PCT',
    'disk_pct:',
    'disk_pct:var',
    'disk_pct:C',
    'disk_pct:/a\nb',
    'load2',
  ])
    assertRefused(
      await app.alice.send('POST', path, body('agent', { metric, op: 'gt', threshold: 1 })),
      refused,
      metric,
    );
  for (const metric of [
    'temp_c',
    'net_rx_bps',
    'disk_pct',
    'disk_pct:/',
    'disk_pct:/mnt/my data',
    'disk_pct:C:',
    'disk_pct:D:\\x',
  ])
    await app.alice.ok('POST', path, body('agent', { metric, op: 'gt', threshold: 1 }));
});

test('a service name contains no characters with a meaning in a path or a shell', async () => {
  const refused = { status: 400, error: 'invalid_service_name', field: 'config.service' };
  const monitor = await app.alice.ok<Monitor>('POST', path, body('service'));
  for (const name of [
    '',
    ' ',
    ' nginx',
    '../nginx',
    '/bin/sh',
    'a\\b',
    'a;b',
    'a|b',
    'a&b',
    'a$b',
    '`id`',
    '$(id)',
    'a>b',
    'a<b',
    'a*',
    'a?',
    "a'b",
    'a"b',
    'a\nb',
    'a\u007fb',
    'a\u0085b',
    '--version',
    'a{b}',
    'a[b]',
    'x'.repeat(129),
  ]) {
    const what = JSON.stringify(name);
    assertRefused(await app.alice.send('POST', path, body('service', { service: name })), refused, what);
    const change = { config: { service: name } };
    assertRefused(await app.alice.send('PATCH', `/monitors/${monitor.id}`, change), refused, what);
  }
  for (const name of [
    'nginx',
    'getty@tty1.service',
    'shop_web.1',
    'Google Chrome',
    'a:b',
    'дэмон',
    'x'.repeat(128),
  ])
    await app.alice.ok('POST', path, body('service', { service: name }));
});

test('an agent must belong to the same organization', async () => {
  const refused = { status: 400, error: 'foreign_agent', field: 'config.agent_id' };
  const elsewhere = await app.place();
  const foreign = await insertAgent(app.db, { orgId: elsewhere.orgId, at: app.clock.now() });
  for (const type of ['agent', 'service'] as const) {
    const monitor = await app.alice.ok<Monitor>('POST', path, body(type));
    for (const agent_id of [foreign.id, newId('agt'), 'nonsense', '']) {
      assertRefused(await app.alice.send('POST', path, body(type, { agent_id })), refused, agent_id);
      const change = { config: { agent_id } };
      assertRefused(await app.alice.send('PATCH', `/monitors/${monitor.id}`, change), refused, agent_id);
    }
    const without = await app.alice.send('POST', path, body(type, { agent_id: null }));
    assertRefused(without, { ...refused, error: 'invalid_request' });
  }
});

test('types without regions refuse regions, and the others require one', async () => {
  const refused = { status: 400, error: 'invalid_request', field: 'regions' };
  const isRegionless = (type: string) => (REGIONLESS_MONITOR_TYPES as readonly string[]).includes(type);
  for (const type of MONITOR_TYPES) {
    const wrong = isRegionless(type) ? ['local'] : [];
    assertRefused(await app.alice.send('POST', path, body(type, {}, { regions: wrong })), refused, type);
    const monitor = await app.alice.ok<Monitor>('POST', path, body(type));
    assertRefused(
      await app.alice.send('PATCH', `/monitors/${monitor.id}`, { regions: wrong }),
      refused,
      type,
    );
  }
});

test('the virtual region of monitors without regions can neither be named nor seen', async () => {
  const answer = await app.alice.send('POST', path, body('tcp', {}, { regions: ['local', ''] }));
  assertRefused(answer, { status: 400, error: 'unknown_region', field: 'regions' });
  const regions = await app.alice.ok<{ slug: string }[]>('GET', '/regions');
  assert.deepEqual(
    regions.map(({ slug }) => slug),
    ['local'],
  );
});

test('a quorum counts a monitor without regions as one region', async () => {
  const count = (value: number) => ({ policy: { alarm_quorum_mode: 'count', alarm_quorum_value: value } });
  await app.alice.ok('POST', path, body('heartbeat', {}, count(1)));
  const two = await app.alice.send('POST', path, body('heartbeat', {}, count(2)));
  assertRefused(two, { status: 400, error: 'invalid_request', field: 'policy.alarm_quorum_value' });
});

test('the interval of a domain is at least an hour, even after a change of type', async () => {
  const refused = { status: 400, error: 'invalid_request', field: 'interval_seconds' };
  assertRefused(await app.alice.send('POST', path, body('domain', {}, { interval_seconds: 3599 })), refused);
  const web = await app.alice.ok<Monitor>('POST', path, body('http'));
  const change = { type: 'domain', config: samples.domain.least, interval_seconds: 60 };
  assertRefused(await app.alice.send('PATCH', `/monitors/${web.id}`, change), refused);
});

test('a change of type keeps nothing of the old config, and uses every given value', async () => {
  const web = await app.alice.ok<Monitor>('POST', path, body('websocket'));
  const config = { ...samples.tcp.least, timeout_ms: 10_000 };
  const turned = await app.alice.ok<Monitor>('PATCH', `/monitors/${web.id}`, { type: 'tcp', config });
  assert.deepEqual(turned.config, { ...samples.tcp.defaults, ...config });
});

test('the plan is checked first for every type', async () => {
  const free = await app.place(app.alice, 'free');
  const regions = ['a', 'b', 'c', 'd'];
  for (const type of MONITOR_TYPES) {
    const answer = await app.alice.send('POST', `/projects/${free.projectId}/monitors`, { type, regions });
    assertRefused(answer, { status: 402, error: 'too_many_regions', field: 'regions', limit: 3 }, type);
  }
});

test('a registry is not queried more often while a domain fails', async () => {
  const policy = { alarm_consecutive: 1, failed_interval_seconds: 30 };
  const made = await app.alice.ok<Monitor>(
    'POST',
    path,
    body('domain', {}, { policy, interval_seconds: 7200 }),
  );
  await app.probe().says(made.id, 'down');
  assert.equal((await app.alice.ok<Monitor>('GET', `/monitors/${made.id}`)).last_status, 'failed');
  const { monitors } = await app.probe().assignments();
  assert.equal(monitors.find(({ monitor_id }) => monitor_id === made.id)?.interval_seconds, 3600);
});
