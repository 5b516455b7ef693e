import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPastedAddress } from './pasted-address.ts';

const read = (text: string) => {
  const address = readPastedAddress(text, { allowSingleLabel: false });
  return address.ok ? [address.host, address.port, address.url, address.isIp] : address.reason;
};

for (const [text, expected] of [
  ['example.com', ['example.com', null, null, false]],
  [' Example.COM/ ', ['example.com', null, null, false]],
  ['bücher.example', ['xn--bcher-kva.example', null, null, false]],
  ['example.com:8443', ['example.com', 8443, null, false]],
  ['example.com/shop?a=1', ['example.com', 443, 'https://example.com/shop?a=1', false]],
  ['https://example.com', ['example.com', 443, 'https://example.com', false]],
  ['HTTP://example.com:8080/x', ['example.com', 8080, 'HTTP://example.com:8080/x', false]],
  ['192.0.2.7', ['192.0.2.7', null, null, true]],
  ['192.0.2.7:25', ['192.0.2.7', 25, null, true]],
  ['[2001:db8::1]:443', ['2001:db8::1', 443, null, true]],
  ['2001:db8::1', ['2001:db8::1', null, null, true]],
  ['http://[2001:db8::1]/', ['2001:db8::1', 80, 'http://[2001:db8::1]/', true]],
  ['', 'missing'],
  ['localhost', 'needs_two_labels'],
  ['example.com:99999', 'port_range'],
  ['ftp://example.com/', 'scheme_in_host'],
  ['two words', 'whitespace'],
] as const)
  test(`"${text}" is read as ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(read(text), expected);
  });
