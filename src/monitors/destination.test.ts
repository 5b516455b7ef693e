// Every field of rules with secrets either decides where the secrets are sent, and how safely, or is listed as one that does
// not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TObject } from 'typebox';
import { withDefaults } from './types/defaults.ts';
import { TYPES } from './types.ts';

/**
 * Fields that change the exchange or its verdict, not the destination. The test fails for a new field until somebody sorts it.
 */
const NO_DESTINATION: Record<string, string[]> = {
  http: [
    ...['method', 'headers', 'secret_headers', 'body', 'auth', 'timeout_ms', 'expected_status', 'keyword'],
    ...['degraded_after_ms', 'json_assertions', 'header_assertions', 'ip_family', 'max_body_bytes'],
    // Credentials are not sent to another origin.
    ...['follow_redirects', 'max_redirects', 'cache_bust', 'keep_response'],
  ],
  websocket: [
    ...['headers', 'secret_headers', 'subprotocol', 'send', 'expect'],
    ...['timeout_ms', 'degraded_after_ms', 'ip_family'],
  ],
  grpc: ['service', 'metadata', 'secret_metadata', 'timeout_ms', 'degraded_after_ms', 'ip_family'],
  mail: ['auth', 'timeout_ms', 'degraded_after_ms', 'ip_family'],
  database: ['username', 'password', 'database', 'query', 'timeout_ms', 'degraded_after_ms', 'ip_family'],
};
const TLS_NO_DESTINATION = ['min_days_left', 'client_cert_pem', 'client_key_pem'];

const PLAIN: Record<string, Record<string, unknown>> = {
  http: { url: 'https://shop.example.com' },
  websocket: { url: 'wss://shop.example.com' },
  grpc: { host: 'shop.example.com', port: 443, tls: true },
  mail: { protocol: 'imap', host: 'shop.example.com', port: 143, security: 'none' },
  database: { engine: 'mysql', host: 'shop.example.com', port: 5432, tls: false },
};
const OTHER: Record<string, unknown> = {
  url: 'https://elsewhere.example.com',
  host: 'elsewhere.example.com',
  port: 9,
  engine: 'redis',
  protocol: 'smtp',
  security: 'tls',
};

for (const [type, rules] of TYPES) {
  const { destination } = rules;
  if (!destination) continue;
  const plain = PLAIN[type] ?? {};
  const fields = Object.keys((rules.schema as TObject).properties);

  test(`${type}: each field is classified`, () => {
    for (const field of fields) {
      const isTls = type === 'http' && field === 'tls';
      const other = isTls ? { verify: false } : (OTHER[field] ?? !plain[field]);
      const differs: boolean = destination({ ...plain, [field]: other }) !== destination(plain);
      assert.equal(differs, !NO_DESTINATION[type]?.includes(field), field);
    }
  });

  test(`${type}: an omitted field equals its default`, () => {
    assert.equal(destination(withDefaults(rules.schema, plain)), destination(plain));
  });
}

test('http: each field of tls is classified', () => {
  const { destination, schema } = TYPES.get('http')!;
  const { tls } = (schema as TObject).properties as { tls: TObject };
  for (const field of Object.keys(tls.properties)) {
    const other = destination?.({ ...PLAIN.http, tls: { [field]: field === 'verify' ? false : 'other' } });
    assert.equal(other !== destination?.(PLAIN.http!), !TLS_NO_DESTINATION.includes(field), field);
  }
});

test('every type whose configs can hold secrets names their destination', () => {
  const full = {
    auth: { kind: 'bearer', token: 'a', username: 'b', password: 'c' },
    password: 'd',
    headers: { Authorization: 'e' },
    metadata: { authorization: 'f' },
    tls: { client_key_pem: 'g' },
  };
  const withSecrets = [...TYPES.values()].filter((rules) => rules.secrets(full).length > 0);
  assert.deepEqual(withSecrets.map(({ type }) => type).sort(), Object.keys(NO_DESTINATION).sort());
  for (const rules of withSecrets) assert.ok(rules.destination, rules.type);
});

test('another spelling is not another destination', () => {
  const http = TYPES.get('http')!.destination!;
  assert.equal(
    http({ url: 'https://Shop.example.com:443/a' }),
    http({ url: 'https://shop.example.com/b?c' }),
  );
  const mail = TYPES.get('mail')!.destination!;
  assert.equal(
    mail({ protocol: 'imap', host: 'Mail.example.com', security: 'tls' }),
    mail({ protocol: 'imap', host: 'mail.example.com', security: 'tls', port: 993 }),
  );
});
