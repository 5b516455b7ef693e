import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneLine } from './one-line.ts';

test('line breaks, separators, control characters and runs of blanks become single blanks, and the ends are trimmed', () => {
  assert.equal(oneLine(' a\r\nb\u2028c\u2029d\u0000e \t f\u0085 '), 'a b c d e f');
  assert.equal(oneLine('\n\u2028'), '');
});
