import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII } from 'node:url';
import { inUnicode } from './in-unicode.ts';

test('punycode decodes to its original', () => {
  for (const name of [
    'störung.example.com',
    'bücher.bücher.example',
    '例え.テスト',
    'ñandú.example.com',
    'правда.example.com',
    'straße.example.com',
    'ü.example.com',
    'a-ü-b.example.com',
    '😀.example.com',
    'status.example.com',
  ])
    assert.equal(inUnicode(domainToASCII(name)), name);
});

test('invalid punycode stays as it is', () => {
  for (const name of ['xn--.example.com', 'xn--!.example.com', 'xn--99999999999.example.com'])
    assert.ok(inUnicode(name).endsWith('.example.com'));
  assert.equal(inUnicode('xn--a_b.example.com'), 'xn--a_b.example.com');
});
