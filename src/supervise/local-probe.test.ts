import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reachable } from '../platform/own-addresses.ts';

test('a server that listens on all interfaces is reached over loopback', () => {
  assert.equal(reachable('http://0.0.0.0:3300'), 'http://127.0.0.1:3300');
  assert.equal(reachable('http://[::]:3300'), 'http://[::1]:3300');
  assert.equal(reachable('http://192.168.1.5:3300'), 'http://192.168.1.5:3300');
});
