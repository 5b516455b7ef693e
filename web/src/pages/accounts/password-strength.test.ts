import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passwordStrength } from './password-strength.ts';

test('length and variety make a password strong, repetition does not', () => {
  assert.equal(passwordStrength(''), 0);
  assert.equal(passwordStrength('abc'), 1);
  assert.equal(passwordStrength('aaaaaaaaaaaaaaaa'), 1);
  assert.equal(passwordStrength('12345678'), 1);
  assert.equal(passwordStrength('correct horse battery staple'), 4);
});
