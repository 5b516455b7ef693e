import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isolated } from './direction.ts';

test('only a text that runs from right to left is isolated', () => {
  assert.equal(isolated('خدمة (الإنتاج)!'), '\u2068خدمة (الإنتاج)!\u2069');
  assert.equal(isolated('Shop שרת'), '\u2068Shop שרת\u2069');
  for (const text of ['Shop (Frankfurt)!', '商店', '🚀', '']) assert.equal(isolated(text), text);
});
