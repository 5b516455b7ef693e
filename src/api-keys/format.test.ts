import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isKeyShaped, keyPrefix, makeKey } from './format.ts';

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((array) => Buffer.from(array));
const ALPHABET = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

test('a key of any bytes has 53 characters and a valid checksum', () => {
  const edges = [Buffer.alloc(32, 0), Buffer.alloc(32, 255), Buffer.from(`${'00'.repeat(31)}01`, 'hex')];
  fc.assert(
    fc.property(fc.oneof(bytes, fc.constantFrom(...edges)), (random) => {
      const key = makeKey(random);
      assert.match(key, /^tcn_[0-9A-Za-z]{49}$/);
      assert.ok(isKeyShaped(key), key);
    }),
  );
});

test('different bytes give different keys', () => {
  fc.assert(
    fc.property(bytes, bytes, (one, two) => {
      assert.equal(makeKey(one) === makeKey(two), one.equals(two));
    }),
  );
});

test('a key with one mistyped character is invalid, wherever it is', () => {
  fc.assert(
    fc.property(bytes, fc.nat(52), fc.constantFrom(...ALPHABET, '_', '-', ' ', 'é'), (random, at, typed) => {
      const key = makeKey(random);
      fc.pre(key[at] !== typed);
      assert.equal(isKeyShaped(key.slice(0, at) + typed + key.slice(at + 1)), false);
    }),
  );
});

test('a key with two adjacent characters swapped is invalid', () => {
  fc.assert(
    fc.property(bytes, fc.nat(51), (random, at) => {
      const key = makeKey(random);
      const [left = '', right = ''] = [key[at], key[at + 1]];
      fc.pre(left !== right);
      assert.equal(isKeyShaped(key.slice(0, at) + right + left + key.slice(at + 2)), false);
    }),
  );
});

test('a truncated, lengthened or surrounded key is invalid', () => {
  fc.assert(
    fc.property(bytes, fc.nat(52), fc.string({ minLength: 1, maxLength: 5 }), (random, length, more) => {
      const key = makeKey(random);
      assert.equal(isKeyShaped(key.slice(0, length)), false);
      assert.equal(isKeyShaped(key + more), false);
      assert.equal(isKeyShaped(more + key), false);
    }),
  );
});

test('no random text passes as a key', () => {
  fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => assert.equal(isKeyShaped(text), false)));
  const random = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 49, maxLength: 49 });
  fc.assert(fc.property(random, (text) => assert.equal(isKeyShaped(`tcn_${text}`), false)));
});

test('a key is recognized by its first 8 characters', () => {
  const key = makeKey(Buffer.alloc(32, 255));
  assert.equal(keyPrefix(key), key.slice(0, 8));
});
