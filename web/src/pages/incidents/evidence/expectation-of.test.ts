import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectationOf } from './expectation-of.ts';

test('an expectation does not repeat the word of its label', () => {
  assert.equal(
    expectationOf('Expected a status in 200-299 within 10 s.'),
    'A status in 200-299 within 10 s.',
  );
  assert.equal(expectationOf('A status of 200.'), 'A status of 200.');
});
