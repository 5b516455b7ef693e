import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSetAside } from './set-aside.ts';

test('what is set aside comes back after its rest, at once where the clock was set back meanwhile', () => {
  const aside = makeSetAside<string>();
  aside.failed('one', 1_000_000_000);
  assert.deepEqual([...aside.at(1_000_009_999)], ['one']);
  assert.deepEqual([...aside.at(1_000_010_000)], []);
  assert.deepEqual([...aside.at(500_000_000)], []);
});
