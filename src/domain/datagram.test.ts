import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from './datagram.ts';

test('a datagram is decoded from its encoding', () => {
  assert.deepEqual(bytesOf('é', 'text'), new Uint8Array([0xc3, 0xa9]));
  assert.deepEqual(bytesOf('ffFF00', 'hex'), new Uint8Array([255, 255, 0]));
  assert.deepEqual(bytesOf('AAEC', 'base64'), new Uint8Array([0, 1, 2]));
  assert.deepEqual(bytesOf('', 'hex'), new Uint8Array());
});

test('input that is invalid in its encoding gives nothing', () => {
  for (const text of ['f', 'xy', 'f f0', '0x00']) assert.equal(bytesOf(text, 'hex'), null, text);
  for (const text of ['AA', 'A', 'a_b=', 'AAE=C']) assert.equal(bytesOf(text, 'base64'), null, text);
});
