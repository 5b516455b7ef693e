import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleName } from './visible-name.ts';

test('blanks around a name go, those inside stay', () => {
  assert.equal(visibleName('  My \u00a0 shop\n'), 'My \u00a0 shop');
});

test('a name of which nothing can be seen is empty', () => {
  const nothing = [
    '',
    ' \t\n',
    '\u00a0',
    '\u200b',
    '\u202e\u202c',
    '\u00ad',
    '\u3164',
    '\u2800',
    '\u0001',
    '\ufeff\u2060',
  ];
  for (const name of nothing) assert.equal(visibleName(name), '', JSON.stringify(name));
});

test('names in every script, with joiners and with marks of direction, stay as they are', () => {
  const names = ['Ünï', '商店', 'متجر', 'חנות \u200f1', 'क्‍ष', '👨‍👩‍👧', 'e\u0301', '❤️', '_', '…'];
  for (const name of names) assert.equal(visibleName(name), name);
});
