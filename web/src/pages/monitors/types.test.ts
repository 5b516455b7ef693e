// Forms write configs that the server's schemas accept, and read them back unchanged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MONITOR_TYPES, type MonitorType } from '#src/domain/names.ts';
import { withDefaults } from '#src/monitors/types/defaults.ts';
import { TYPES } from '#src/monitors/types.ts';
import { validate } from '#src/platform/http/validate.ts';
import type { ConfigValues, Problem } from './types/type-form.ts';
import { FORMS } from './types.testing.ts';

/** The minimal input. */
const TYPED: Record<MonitorType, ConfigValues> = {
  http: { url: 'https://example.com/' },
  websocket: { url: 'wss://example.com/live' },
  grpc: { host: 'grpc.example.com', port: 443 },
  tcp: { host: 'db.example.com', port: 5432 },
  udp: { host: '192.0.2.1', port: 27015, payload: 'ff ff', encoding: 'hex' },
  ping: { host: '2001:db8::1' },
  dns: { host: 'www.example.com' },
  tls: { host: 'www.example.com' },
  domain: { domain: 'example.com' },
  mail: { host: 'mail.example.com' },
  database: { host: 'db.example.com' },
  heartbeat: {},
  agent: { agent_id: 'agt_1' },
  service: { agent_id: 'agt_1', service: 'nginx' },
  group: { members: ['mon_1'] },
};

const filled = (type: MonitorType): ConfigValues => ({ ...FORMS[type].initial, ...TYPED[type] });

const wrong = (type: MonitorType, given: ConfigValues): Record<string, Problem> =>
  Object.fromEntries(
    Object.entries(FORMS[type].problems({ ...filled(type), ...given })).filter(
      (entry): entry is [string, Problem] => entry[1] !== null,
    ),
  );

for (const type of MONITOR_TYPES) {
  test(`${type}: the minimal input is enough for the server, and reads back unchanged`, () => {
    const form = FORMS[type];
    assert.deepEqual(wrong(type, {}), {});
    const server = TYPES.get(type);
    assert.ok(server);
    const complete = withDefaults(server.schema, form.write(filled(type)));
    validate(server.schema, complete, 'config');
    assert.deepEqual(form.write(form.read(complete)), {
      ...form.write(filled(type)),
      ...timeoutOf(complete),
    });
  });

  test(`${type}: no field is in two sections`, () => {
    const fields = FORMS[type].sections.flatMap((section) => section.fields);
    assert.equal(new Set(fields).size, fields.length);
  });
}

/** The timeout that the server filled in is shown, and so it is written back. */
function timeoutOf(complete: Record<string, unknown>): Record<string, unknown> {
  return 'timeout_ms' in complete ? { timeout_ms: complete.timeout_ms } : {};
}

test('an empty form reports its missing fields, and nothing else', () => {
  assert.deepEqual(FORMS.tcp.problems(FORMS.tcp.initial), {
    host: { key: 'errors.reasons.missing' },
    port: { key: 'problems.needed' },
    timeout_ms: null,
    degraded_after_ms: null,
  });
});

test('hosts, ports and URLs are refused with the API’s reasons', () => {
  assert.equal(wrong('tcp', { host: 'https://db.example.com' }).host?.key, 'errors.reasons.scheme_in_host');
  assert.equal(wrong('ping', { host: 'example.com/x' }).host?.key, 'errors.reasons.path_in_host');
  assert.equal(wrong('tcp', { port: 70_000 }).port?.key, 'errors.reasons.port_range');
  assert.deepEqual(wrong('websocket', { url: 'https://example.com/' }).url, {
    key: 'problems.scheme',
    values: { first: 'ws://', second: 'wss://' },
  });
});

test('a warning threshold after the failure threshold is refused while typing', () => {
  for (const type of ['tls', 'domain'] as const)
    assert.deepEqual(wrong(type, { warn_days: 3, fail_days: 7 }), {
      warn_days: { key: 'problems.warnBelowFail', values: { fail: 7 } },
    });
});

test('bytes are validated in their encoding', () => {
  assert.equal(wrong('udp', { payload: 'ff f' }).payload?.key, 'problems.hex');
  assert.equal(wrong('udp', { payload: 'abc', encoding: 'base64' }).payload?.key, 'problems.base64');
  assert.deepEqual(wrong('udp', { payload: 'ÿ anything', encoding: 'text' }), {});
});

test('a cron expression needs five fields that some day can match', () => {
  const schedule = (expression: string) => ({
    schedule: { kind: 'cron', expression, timezone: 'Europe/Berlin', period_seconds: 60 },
  });
  const said = (expression: string) => wrong('heartbeat', schedule(expression))['schedule.expression']?.key;
  assert.equal(said('30 4 * * 1-5'), undefined);
  assert.equal(said('30 4 * *'), 'problems.cronFields');
  assert.equal(said('61 4 * * *'), 'problems.cron');
  assert.equal(said('0 0 31 2 *'), 'problems.cronNever');
});

test('values of DNS records have the form of their type', () => {
  const expected = { mode: 'any', values: ['not an address'] };
  assert.equal(wrong('dns', { expected })['expected.values']?.key, 'problems.recordValue');
  assert.deepEqual(wrong('dns', { expected, expected_rcode: 'NXDOMAIN' }), {});
  assert.equal(wrong('dns', { host: '192.0.2.1' }).host?.key, 'problems.addressNeedsPtr');
});

test('lines of a TCP conversation end as the protocol requires', () => {
  const { write, read } = FORMS.tcp;
  const sent = write({ ...filled('tcp'), send: 'EHLO me\nQUIT\n', crlf: true });
  assert.equal(sent.send, 'EHLO me\r\nQUIT\r\n');
  const back = read({ ...sent, timeout_ms: 5_000 });
  assert.deepEqual([back.send, back.crlf], ['EHLO me\nQUIT\n', true]);
  const bare = write({ ...filled('tcp'), send: 'ping\n', crlf: false });
  assert.deepEqual(write(read({ ...bare, timeout_ms: 5_000 })).send, 'ping\n');
});
