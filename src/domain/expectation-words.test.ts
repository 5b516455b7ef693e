import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXPECTATIONS, expectationInGerman, WITHIN } from './expectation-phrases.ts';
import {
  expectationOfClass,
  expectationOfGroup,
  expectationOfMember,
  expectationWords,
} from './expectation-words.ts';
import { foundWords } from './failure-words.ts';
import { MONITOR_TYPES } from './names.ts';
import { makeTranslator } from './phrases.ts';

const WORDS: [type: string, config: Record<string, unknown>, words: string, german: string][] = [
  [
    'http',
    { expected_status: ['204'], timeout_ms: 500 },
    'a status of 204 within 0.5 s',
    'der Status 204 innerhalb von 0,5 s',
  ],
  [
    'http',
    { expected_status: ['200-299', '301', '404'], timeout_ms: 10_000 },
    'a status in 200-299, 301 or 404 within 10 s',
    'ein Status aus 200-299, 301 oder 404 innerhalb von 10 s',
  ],
  [
    'tcp',
    { port: 22, timeout_ms: 5000 },
    'a connection to port 22 within 5 s',
    'eine Verbindung zu Port 22 innerhalb von 5 s',
  ],
  ['tcp', { port: 443, tls: true }, 'a TLS connection to port 443', 'eine TLS-Verbindung zu Port 443'],
  ['tcp', { port: 22, expect: 'SSH-2.0' }, 'an answer with "SSH-2.0"', 'eine Antwort mit "SSH-2.0"'],
  [
    'ping',
    { max_loss_pct: 0.5, timeout_ms: 5000 },
    'at most 0.5 % of packets lost within 5 s',
    'höchstens 0,5 % verlorene Pakete innerhalb von 5 s',
  ],
  [
    'dns',
    { record_type: 'MX' },
    'an answer from DNS with a record of type MX',
    'eine DNS-Antwort mit einem Eintrag vom Typ MX',
  ],
  [
    'dns',
    {
      record_type: 'A',
      expected_rcode: 'NOERROR',
      expected: { mode: 'any', values: ['192.0.2.1', '192.0.2.2'] },
    },
    'an answer from DNS with 192.0.2.1 or 192.0.2.2',
    'eine DNS-Antwort mit 192.0.2.1 oder 192.0.2.2',
  ],
  [
    'dns',
    { record_type: 'A', expected: { mode: 'exact', values: ['1', '2', '3', '4', '5', '6', '7'] } },
    'an answer from DNS with only 1, 2, 3, 4, 5 and 2 more',
    'eine DNS-Antwort mit nur 1, 2, 3, 4, 5 und 2 weiteren',
  ],
  [
    'dns',
    { record_type: 'A', expected_rcode: 'NXDOMAIN' },
    'the answer NXDOMAIN from DNS',
    'die DNS-Antwort NXDOMAIN',
  ],
  [
    'tls',
    { fail_days: 3 },
    'a certificate valid for 3 more days',
    'ein Zertifikat, das noch 3 Tage gültig ist',
  ],
  [
    'tls',
    { fail_days: 1 },
    'a certificate valid for 1 more day',
    'ein Zertifikat, das noch 1 Tag gültig ist',
  ],
  ['tls', { fail_days: 0 }, 'a valid certificate', 'ein gültiges Zertifikat'],
  [
    'domain',
    { fail_days: 7 },
    'a registration valid for 7 more days',
    'eine Registrierung, die noch 7 Tage gültig ist',
  ],
  [
    'domain',
    { fail_days: 1 },
    'a registration valid for 1 more day',
    'eine Registrierung, die noch 1 Tag gültig ist',
  ],
  ['domain', { fail_days: 0 }, 'a valid registration', 'eine gültige Registrierung'],
  ['websocket', { expect: null }, 'an open WebSocket', 'ein offener WebSocket'],
  ['websocket', { expect: 'pong' }, 'a message with "pong"', 'eine Nachricht mit "pong"'],
  ['grpc', { service: '' }, 'the gRPC server serving', 'ein gRPC-Server mit dem Status SERVING'],
  [
    'grpc',
    { service: 'shop.v1.Cart' },
    'the gRPC service shop.v1.Cart serving',
    'der gRPC-Dienst shop.v1.Cart mit dem Status SERVING',
  ],
  [
    'mail',
    { protocol: 'smtp', auth: null },
    'a greeting of the SMTP server',
    'eine Begrüßung durch den SMTP-Server',
  ],
  ['mail', { protocol: 'imap', auth: {} }, 'a sign-in to the IMAP server', 'eine Anmeldung am IMAP-Server'],
  ['udp', { expect: null }, 'an answer', 'eine Antwort'],
  [
    'udp',
    { expect: 'x'.repeat(100) },
    `an answer with "${'x'.repeat(60)}…"`,
    `eine Antwort mit "${'x'.repeat(60)}…"`,
  ],
  ['database', { engine: 'postgres', query: null }, 'an answer by PostgreSQL', 'eine Antwort von PostgreSQL'],
  ['database', { engine: '?', query: null }, 'an answer by the database', 'eine Antwort von der Datenbank'],
  [
    'database',
    { engine: 'mysql', query: 'SELECT 1' },
    'the query to be answered by MySQL',
    'eine Antwort auf die Abfrage von MySQL',
  ],
  [
    'heartbeat',
    { schedule: { kind: 'period', period_seconds: 300 }, grace_seconds: 60 },
    'a ping every 5 min, at most 60 s late',
    'ein Ping alle 5 min, höchstens 60 s verspätet',
  ],
  [
    'heartbeat',
    {
      schedule: { kind: 'cron', expression: '0 4 * * *', timezone: 'Europe/Berlin' },
      grace_seconds: 259_200,
    },
    'a ping at 0 4 * * * (Europe/Berlin), at most 3 days late',
    'ein Ping nach dem Zeitplan 0 4 * * * (Europe/Berlin), höchstens 3 Tage verspätet',
  ],
  ['agent', { metric: 'online', op: null }, 'a host that reports', 'ein Host, der sich meldet'],
  [
    'agent',
    { metric: 'cpu_pct', op: 'gt', threshold: 90 },
    'cpu_pct of at most 90',
    'cpu_pct von höchstens 90',
  ],
  ['agent', { metric: 'cpu_pct', op: 'gte', threshold: 9.5 }, 'cpu_pct below 9.5', 'cpu_pct unter 9,5'],
  [
    'agent',
    { metric: 'temp_c', op: 'lt', threshold: -5 },
    'temp_c of at least -5',
    'temp_c von mindestens -5',
  ],
  ['agent', { metric: 'temp_c', op: 'lte', threshold: 5 }, 'temp_c above 5', 'temp_c über 5'],
  [
    'service',
    { service: 'nginx', expect: 'running' },
    'the service nginx running',
    'ein laufender Dienst nginx',
  ],
  [
    'service',
    { service: 'nginx', expect: 'stopped' },
    'the service nginx stopped',
    'ein angehaltener Dienst nginx',
  ],
  [
    'service',
    { service: 'nginx', expect: 'running', max_cpu_pct: 80, max_mem_mb: 512 },
    'the service nginx running with at most 80 % of CPU and 512 MB of memory',
    'ein laufender Dienst nginx mit höchstens 80 % CPU und 512 MB Arbeitsspeicher',
  ],
  ['group', { rule: 'any_failed' }, 'no member to have failed', 'kein ausgefallenes Mitglied'],
  ['group', { rule: 'count', value: 1 }, 'no member to have failed', 'kein ausgefallenes Mitglied'],
  [
    'group',
    { rule: 'all_failed' },
    'at least one member not to have failed',
    'mindestens ein Mitglied, das nicht ausgefallen ist',
  ],
  [
    'group',
    { rule: 'count', value: 2 },
    'fewer than 2 members to have failed',
    'weniger als 2 ausgefallene Mitglieder',
  ],
  ['?', {}, 'a passing check', 'eine bestandene Prüfung'],
];
for (const [type, config, words, german] of WORDS)
  test(`${type} with ${JSON.stringify(config).slice(0, 80)} expects ${words}, in German ${german}`, () => {
    assert.equal(expectationWords(type, config), words);
    assert.equal(expectationInGerman(words), german);
  });

test('every type describes its expectation', () => {
  const described = new Set(WORDS.map(([type]) => type));
  assert.deepEqual(
    MONITOR_TYPES.filter((type) => !described.has(type)),
    [],
  );
});

const OF_CLASSES: [failureClass: string, type: string, config: object, words: string, german: string][] = [
  [
    'dns_nxdomain',
    'tcp',
    { timeout_ms: 5000 },
    'an address for the name within 5 s',
    'eine Adresse zum Namen innerhalb von 5 s',
  ],
  [
    'dns_nxdomain',
    'dns',
    { record_type: 'A' },
    'an answer from DNS with a record of type A',
    'eine DNS-Antwort mit einem Eintrag vom Typ A',
  ],
  ['connect_refused', 'http', {}, 'a connection', 'eine Verbindung'],
  ['tls_handshake', 'http', {}, 'a TLS handshake', 'ein TLS-Handshake'],
  ['tls_expires_soon', 'http', {}, 'a valid certificate', 'ein gültiges Zertifikat'],
  [
    'tls_expires_soon',
    'tls',
    { fail_days: 3 },
    'a certificate valid for 3 more days',
    'ein Zertifikat, das noch 3 Tage gültig ist',
  ],
  ['header_mismatch', 'http', {}, 'the headers asked for', 'die verlangten Header'],
  ['body_mismatch', 'http', {}, 'the body asked for', 'der verlangte Inhalt'],
  ['json_mismatch', 'http', {}, 'the JSON asked for', 'das verlangte JSON'],
  ['auth_failed', 'mail', {}, 'the sign-in to be accepted', 'eine erfolgreiche Anmeldung'],
];
for (const [failureClass, type, config, words, german] of OF_CLASSES)
  test(`where ${type} fails with ${failureClass}, it expects ${words}, in German ${german}`, () => {
    assert.equal(expectationOfClass(failureClass, type, { ...config }), words);
    assert.equal(expectationInGerman(words), german);
  });

test('a group expects its members to pass, whatever they are called', () => {
  assert.equal(expectationOfMember('Shop'), 'Shop to pass');
  assert.equal(expectationInGerman('Shop within 5 s to pass'), 'Shop within 5 s ohne Ausfall');
  assert.equal(expectationOfGroup('count', null), 'no member to have failed');
});

test('what is no expectation of ours stays as it is in German', () => {
  for (const words of ['an unknown thing', '', 'a status']) assert.equal(expectationInGerman(words), words);
});

test('every phrase is tested here', () => {
  const whole = [...WORDS, ...OF_CLASSES].map((row) => row.at(-2) as string);
  const tested = [...whole, ...whole.map((words) => words.replace(/ within [\d.]+ s$/, ''))];
  const untested = Object.entries({ ...EXPECTATIONS, ...WITHIN }).filter(([key, phrase]) => {
    const reads = makeTranslator([[phrase.en, phrase.de]], (_, value) => value);
    return key !== 'member' && tested.every((words) => reads(words) === null);
  });
  assert.deepEqual(untested, []);
});

test('a class without words of its own is spelled out', () => {
  assert.equal(foundWords('heartbeat_missed'), 'no ping in time');
  assert.equal(foundWords('something_new'), 'something new');
});
