import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectationOf } from './expectation-of.ts';

test('an expectation does not repeat the word of its label', () => {
  const summary = 'Expected a status in 200-299 within 10 s.';
  assert.equal(expectationOf(summary, 'en'), 'A status in 200-299 within 10 s.');
  assert.equal(expectationOf(summary, 'de'), 'Ein Status aus 200-299 innerhalb von 10 s.');
  assert.equal(expectationOf('A status of 200.', 'en'), 'A status of 200.');
});
