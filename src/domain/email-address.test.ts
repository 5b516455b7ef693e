import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailAddress, isMailable } from './email-address.ts';

test('an address is stored trimmed and in lower case', () => {
  assert.equal(emailAddress(" Bob.O'Brien+Tocsin@Mail.Example.COM\n"), "bob.o'brien+tocsin@mail.example.com");
  assert.equal(emailAddress('\u212a@x.example'), 'k@x.example');
});

test('an address with which nobody could sign in is refused', () => {
  const none = [
    '',
    'a',
    'a@x',
    '@x.example',
    'a@@x.example',
    'a@x..example',
    '.a@x.example',
    'a..b@x.example',
  ];
  const outside = [
    'ünï@x.example',
    'a@münchen.example',
    'a\u200b@x.example',
    'a\u0001@x.example',
    'ß@x.example',
  ];
  const several = [
    'a@x.example,b@x.example',
    '<a@x.example>',
    'a@x.example b',
    '"a"@x.example',
    'a@x.example.',
  ];
  const long = `${'a'.repeat(250)}@x.example`;
  for (const text of [...none, ...outside, ...several, long]) assert.equal(emailAddress(text), null, text);
});

test('64 characters before the @ and 254 in all are accepted, one more is refused', () => {
  const local = (n: number) => `${'a'.repeat(n)}@x.example`;
  assert.equal(emailAddress(local(64)), local(64));
  assert.equal(emailAddress(local(65)), null);
  const inAll = (n: number) => `a@${'b.'.repeat((n - 10) / 2)}example`;
  assert.equal(inAll(254).length, 253);
  assert.equal(emailAddress(inAll(254)), inAll(254));
  assert.equal(emailAddress(inAll(256)), null);
});

test('lengths are counted in bytes', () => {
  assert.equal(isMailable(`${'ü'.repeat(32)}@x.example`), true);
  assert.equal(isMailable(`${'ü'.repeat(33)}@x.example`), false);
});
