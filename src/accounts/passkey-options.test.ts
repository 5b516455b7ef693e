import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passkeyOptions } from './passkey-options.ts';

const optionsAt = (baseUrl: string, port = 3300) => {
  const { rpID, origin } = passkeyOptions({ baseUrl, port });
  return [rpID, origin];
};

test('a passkey is bound to the installation’s host and its single origin', () => {
  assert.deepEqual(optionsAt('https://status.example.com'), [
    'status.example.com',
    ['https://status.example.com'],
  ]);
  assert.deepEqual(optionsAt('https://example.com:8443/tocsin'), [
    'example.com',
    ['https://example.com:8443'],
  ]);
});

test('if only a loopback address is known, it is bound to localhost', () => {
  const origins = ['http://127.0.0.1:3300', 'http://localhost:3300'];
  assert.deepEqual(optionsAt('http://127.0.0.1:3300'), ['localhost', origins]);
  assert.deepEqual(optionsAt('http://localhost:3300'), ['localhost', ['http://localhost:3300']]);
  assert.deepEqual(optionsAt('http://[::1]:3300')[0], 'localhost');
});

test('a port that is unknown at this point is left to the origin check of each request', () => {
  assert.deepEqual(optionsAt('http://127.0.0.1:0', 0), ['localhost', null]);
});
