import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasWords } from './has-words.ts';

for (const [sought, expected] of [
  ['', true],
  ['  ', true],
  ['api checkout', true],
  ['CHECKOUT api', true],
  [' out  ap ', true],
  ['checkout apis', false],
] as const)
  test(`"${sought}" ${expected ? 'finds' : 'does not find'} "Checkout API"`, () => {
    assert.equal(hasWords('Checkout API', sought), expected);
  });
