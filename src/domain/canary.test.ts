import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCanary } from './canary.ts';

const CASES: [value: string, expected: string][] = [
  ['one.one.one.one:53', 'one.one.one.one 53'],
  ['192.0.2.7:443', '192.0.2.7 443'],
  ['[2001:db8::1]:443', '2001:db8::1 443'],
  ['EXAMPLE.com:65535', 'example.com 65535'],
  ['', 'missing'],
  [':443', 'missing'],
  ['example.com', 'port_range'],
  ['example.com:', 'port_range'],
  ['example.com:0', 'port_range'],
  ['example.com:65536', 'port_range'],
  ['example.com:http', 'port_range'],
  ['2001:db8::1', 'port_range'],
  ['gateway:53', 'needs_two_labels'],
  ['http://example.com:80', 'scheme_in_host'],
  ['example.com/path:80', 'path_in_host'],
  ['exa mple.com:80', 'whitespace'],
  ['user@example.com:80', 'malformed_label'],
];
for (const [value, expected] of CASES)
  test(`${JSON.stringify(value)} is ${expected}`, () => {
    const checked = checkCanary(value, { allowSingleLabel: false });
    assert.equal(checked.ok ? `${checked.host} ${checked.port}` : checked.reason, expected);
  });

test('a name without a dot is valid if the operator allows it', () => {
  assert.equal(checkCanary('gateway:53', { allowSingleLabel: true }).ok, true);
});
