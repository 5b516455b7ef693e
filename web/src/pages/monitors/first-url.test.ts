import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameFrom, withScheme } from './first-url.ts';

for (const [typed, watched] of [
  ['example.com/health', 'https://example.com/health'],
  [' https://example.com ', 'https://example.com'],
  ['http://example.com', 'http://example.com'],
  ['localhost:4010', 'http://localhost:4010'],
  ['localhost', 'http://localhost'],
  ['nas:8080/status?all', 'http://nas:8080/status?all'],
  ['127.0.0.1:3300', 'http://127.0.0.1:3300'],
  ['192.168.1.20', 'http://192.168.1.20'],
  ['172.20.0.3/x', 'http://172.20.0.3/x'],
  ['[::1]:3300', 'http://[::1]:3300'],
  ['172.32.0.3', 'https://172.32.0.3'],
  ['10.example.com', 'https://10.example.com'],
  ['shop.local', 'https://shop.local'],
] as const)
  test(`"${typed}" is monitored as ${watched}`, () => assert.equal(withScheme(typed), watched));

test('a monitor is named after host and path', () => {
  assert.equal(nameFrom('https://example.com/'), 'example.com');
  assert.equal(nameFrom('http://localhost:4010/health?x=1'), 'localhost:4010/health');
  assert.equal(nameFrom('https://a b'), 'https://a b');
});
