import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailAddress } from './email-address.ts';

test('an address is kept in lower case, without blanks around it', () => {
  assert.equal(emailAddress(" Bob.O'Brien+Tocsin@Mail.Example.COM\n"), "bob.o'brien+tocsin@mail.example.com");
  assert.equal(emailAddress('\u212a@x.example'), 'k@x.example');
});

test('what nobody could sign in with is no address', () => {
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
