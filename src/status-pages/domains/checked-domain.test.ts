import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '#src/platform/refusals.ts';
import { checkedDomain } from './checked-domain.ts';

const OWN = {
  names: ['tocsin.example.com', 'monitor.example.com'],
  edgeDomain: 'edge.example.net',
  allowTest: false,
};

const codeOf = (given: string, own = OWN): string => {
  try {
    return checkedDomain(given, own);
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
};

test('a domain is normalized as in DNS', () => {
  const cases: [string, string][] = [
    ['status.example.com', 'status.example.com'],
    ['  Status.EXAMPLE.com. ', 'status.example.com'],
    ['example.com', 'example.com'],
    ['störung.example.com', 'xn--strung-xxa.example.com'],
    ['xn--strung-xxa.example.com', 'xn--strung-xxa.example.com'],
    ['a.tocsin.example.com', 'a.tocsin.example.com'],
    [`${'a.'.repeat(120)}example.com`, `${'a.'.repeat(120)}example.com`],
  ];
  for (const [given, domain] of cases) assert.equal(codeOf(given), domain);
});

test('an invalid host name is refused', () => {
  const cases = [
    ...[
      '',
      ' ',
      '.',
      'a..example.com',
      '*.example.com',
      '-a.example.com',
      'a_b.example.com',
      'a b.example.com',
    ],
    ...[
      'https://status.example.com',
      'status.example.com/x',
      'status.example.com:443',
      'u@status.example.com',
    ],
    ...[
      `${'a'.repeat(64)}.example.com`,
      `${'a.'.repeat(122)}example.com`,
      'status.example.com..',
      'a\u0000.example.com',
    ],
  ];
  for (const given of cases) assert.equal(codeOf(given), 'invalid_request', JSON.stringify(given));
});

test('reserved names are refused', () => {
  const cases = [
    ...[
      'tocsin.example.com',
      'TOCSIN.example.com.',
      'monitor.example.com',
      'edge.example.net',
      'x.edge.example.net',
    ],
    ...['localhost', 'intranet', '127.0.0.1', '[::1]', '::1', '0x7f.1', 'com', 'co.uk', 'github.io'],
    ...['status.local', 'status.internal', 'status.test', 'status.localhost', 'local.'],
  ];
  for (const given of cases) assert.equal(codeOf(given), 'reserved_domain', given);
});

test('test domains are allowed if the operator says so', () => {
  assert.equal(codeOf('status.example.test', { ...OWN, allowTest: true }), 'status.example.test');
  assert.equal(codeOf('status.internal', { ...OWN, allowTest: true }), 'reserved_domain');
});
