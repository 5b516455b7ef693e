import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectationOfClass, expectationWords } from './expectation-words.ts';
import { foundWords } from './failure-words.ts';
import { MONITOR_TYPES } from './names.ts';

const WORDS: [type: string, config: Record<string, unknown>, words: string][] = [
  ['http', { expected_status: ['204'], timeout_ms: 500 }, 'a status of 204 within 0.5 s'],
  ['tcp', { port: 22, timeout_ms: 5000 }, 'a connection to port 22 within 5 s'],
  ['tcp', { port: 443, tls: true }, 'a TLS connection to port 443'],
  ['tcp', { port: 22, expect: 'SSH-2.0' }, 'an answer with "SSH-2.0"'],
  ['ping', { max_loss_pct: 50, timeout_ms: 5000 }, 'at most 50 % of packets lost within 5 s'],
  ['dns', { record_type: 'MX' }, 'an answer from DNS with a record of type MX'],
  [
    'dns',
    {
      record_type: 'A',
      expected_rcode: 'NOERROR',
      expected: { mode: 'any', values: ['192.0.2.1', '192.0.2.2'] },
    },
    'an answer from DNS with 192.0.2.1 or 192.0.2.2',
  ],
  [
    'dns',
    { record_type: 'A', expected: { mode: 'exact', values: ['1', '2', '3', '4', '5', '6', '7'] } },
    'an answer from DNS with only 1, 2, 3, 4, 5 and 2 more',
  ],
  ['dns', { record_type: 'A', expected_rcode: 'NXDOMAIN' }, 'the answer NXDOMAIN from DNS'],
  ['tls', { fail_days: 3 }, 'a certificate valid for 3 more days'],
  ['tls', { fail_days: 1 }, 'a certificate valid for 1 more day'],
  ['tls', { fail_days: 0 }, 'a valid certificate'],
  ['domain', { fail_days: 7 }, 'a registration valid for 7 more days'],
  ['websocket', { expect: null }, 'an open WebSocket'],
  ['websocket', { expect: 'pong' }, 'a message with "pong"'],
  ['grpc', { service: '' }, 'the gRPC server serving'],
  ['grpc', { service: 'shop.v1.Cart' }, 'the gRPC service shop.v1.Cart serving'],
  ['mail', { protocol: 'smtp', auth: null }, 'a greeting of the SMTP server'],
  ['mail', { protocol: 'imap', auth: {} }, 'a sign-in to the IMAP server'],
  ['udp', { expect: 'x'.repeat(100) }, `an answer with "${'x'.repeat(60)}…"`],
  ['database', { engine: 'postgres', query: null }, 'an answer by PostgreSQL'],
  ['database', { engine: 'mysql', query: 'SELECT 1' }, 'the query to be answered by MySQL'],
  [
    'heartbeat',
    { schedule: { kind: 'period', period_seconds: 300 }, grace_seconds: 60 },
    'a ping every 5 min, at most 60 s late',
  ],
  [
    'heartbeat',
    {
      schedule: { kind: 'cron', expression: '0 4 * * *', timezone: 'Europe/Berlin' },
      grace_seconds: 259_200,
    },
    'a ping at 0 4 * * * (Europe/Berlin), at most 3 days late',
  ],
  ['agent', { metric: 'online', op: null }, 'a host that reports'],
  ['agent', { metric: 'cpu_pct', op: 'gt', threshold: 90 }, 'cpu_pct of at most 90'],
  ['agent', { metric: 'temp_c', op: 'lte', threshold: 5 }, 'temp_c above 5'],
  ['service', { service: 'nginx', expect: 'running' }, 'the service nginx running'],
  [
    'service',
    { service: 'nginx', expect: 'running', max_cpu_pct: 80, max_mem_mb: 512 },
    'the service nginx running with at most 80 % of CPU and 512 MB of memory',
  ],
  ['group', { rule: 'any_failed' }, 'no failed member'],
  ['group', { rule: 'all_failed' }, 'a member that has not failed'],
  ['group', { rule: 'count', value: 2 }, 'fewer than 2 failed members'],
];
for (const [type, config, words] of WORDS)
  test(`${type} with ${JSON.stringify(config).slice(0, 80)} expects ${words}`, () => {
    assert.equal(expectationWords(type, config), words);
  });

test('every type describes its expectation', () => {
  const described = new Set(WORDS.map(([type]) => type));
  assert.deepEqual(
    MONITOR_TYPES.filter((type) => !described.has(type)),
    [],
  );
});

test('the expectation for a failure class suits the type', () => {
  assert.equal(
    expectationOfClass('dns_nxdomain', 'tcp', { timeout_ms: 5000 }),
    'an address for the name within 5 s',
  );
  assert.equal(
    expectationOfClass('dns_nxdomain', 'dns', { record_type: 'A' }),
    'an answer from DNS with a record of type A',
  );
  assert.equal(expectationOfClass('tls_expires_soon', 'http', {}), 'a valid certificate');
  assert.equal(
    expectationOfClass('tls_expires_soon', 'tls', { fail_days: 3 }),
    'a certificate valid for 3 more days',
  );
  assert.equal(expectationOfClass('auth_failed', 'mail', {}), 'the sign-in to be accepted');
});

test('a class without words of its own is spelled out', () => {
  assert.equal(foundWords('heartbeat_missed'), 'no ping in time');
  assert.equal(foundWords('something_new'), 'something new');
});
