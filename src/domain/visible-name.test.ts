import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleName } from './visible-name.ts';

test('blanks around a name are removed, those inside stay', () => {
  assert.equal(visibleName('  My \u00a0 shop\n'), 'My \u00a0 shop');
});

test('a name without a visible character is empty', () => {
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
    '\u0301\u0302',
    '\u20dd',
  ];
  for (const name of nothing) assert.equal(visibleName(name), '', JSON.stringify(name));
});

test('names in every script, with joiners and direction marks, stay as they are', () => {
  const names = [
    'می\u200cخواهم',
    'ශ්\u200dරී',
    '🏳️\u200d🌈',
    'Ünï',
    '商店',
    'متجر',
    'חנות \u200f1',
    'क्‍ष',
    '👨‍👩‍👧',
    'e\u0301',
    '❤️',
    '_',
    '…',
  ];
  for (const name of names) assert.equal(visibleName(name), name);
});

test('characters that reorder a name, or change it invisibly, are removed', () => {
  for (const [given, kept] of [
    ['invoice\u202egpj.exe', 'invoicegpj.exe'],
    ['\u2066Shop\u2069', 'Shop'],
    ['Sh\u200bop', 'Shop'],
    ['Sh\u200d\u200cop', 'Shop'],
    ['Shop\u200e', 'Shop'],
    ['Sh\u00adop\ufeff', 'Shop'],
    ['می\u200c\u200c\u200dخواهم', 'می\u200cخواهم'],
  ] as const)
    assert.equal(visibleName(given), kept, JSON.stringify(given));
});
