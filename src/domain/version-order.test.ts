import assert from 'node:assert/strict';
import { test } from 'node:test';
import semver from 'semver';
import { isBehind } from './version-order.ts';

/** Each comes before the next. */
const IN_ORDER = [
  '0.1.0',
  '0.9.12',
  '0.10.0',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.1',
  '2.0.0-x-y.z',
  '10.0.0',
];

for (const left of IN_ORDER)
  test(`${left} is older than those after it, and no other`, () => {
    for (const right of IN_ORDER) {
      assert.equal(isBehind(left, right), IN_ORDER.indexOf(left) < IN_ORDER.indexOf(right), right);
      assert.equal(isBehind(left, right), semver.lt(left, right), right);
    }
  });

test('an invalid version is older than nothing, and nothing is older than it', () => {
  for (const text of ['', 'dev', '1.0', '1.0.0.0', '1.0.0 x']) {
    assert.equal(isBehind(text, '1.0.0'), false);
    assert.equal(isBehind('1.0.0', text), false);
  }
});

test('the build metadata of a version does not count', () => {
  assert.equal(isBehind('1.0.0+a', '1.0.0+b'), false);
});
