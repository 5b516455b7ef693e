import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { ownServer } from './own-server.ts';

test('a server on this machine owns its port at every address of the machine', () => {
  const { isOwn, met } = ownServer('http://127.0.0.1:3300');
  met('::ffff:127.0.0.1');
  const interfaces = Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).map(({ address }) => address),
  );
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '0.0.0.0', '::', '::ffff:127.0.0.1', ...interfaces])
    assert.equal(isOwn(address, 3300), true, address);
  assert.equal(isOwn('127.0.0.1', 3301), false);
  assert.equal(isOwn('192.0.2.1', 3300), false);
});

test('a remote server owns the address that the link connected to, and no address of this machine', () => {
  const { isOwn, met } = ownServer('http://tocsin.internal:3300');
  met('192.0.2.1');
  assert.equal(isOwn('192.0.2.1', 3300), true);
  assert.equal(isOwn('192.0.2.2', 3300), false);
  assert.equal(isOwn('127.0.0.1', 3300), false);
});

test('behind a proxy, which may serve other sites, the server owns no address', () => {
  const { isOwn, met } = ownServer('https://tocsin.example');
  met('192.0.2.1');
  assert.equal(isOwn('192.0.2.1', 443), false);
});
