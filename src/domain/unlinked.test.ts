import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { unlinked } from './unlinked.ts';

/** Anything that mail programs take for an address: a scheme, a dot inside a word, an at sign, a Windows share. */
const ADDRESS_LIKE = /[a-z][a-z0-9+-]*:\S|[^\s\u200b][.。．｡][^\s\u200b]|@[^\s\u200b]|\\\\|\/\//iu;

for (const text of [
  'http://evil.test/login',
  'HTTPS://EVIL.TEST',
  'www.evil.test',
  'evil.test/login',
  'evil。test and evil．test and evil｡test',
  'mailto:eve@evil.test',
  'eve@evil.test',
  'tel:+15550100',
  'http://127.0.0.1:8080/',
  'http://[::1]/',
  '\\\\evil\\share',
  '//evil/share',
])
  test(`${text} contains nothing that becomes a link`, () => {
    assert.match(text, ADDRESS_LIKE);
    const after = unlinked(text);
    assert.doesNotMatch(after.replaceAll(/:\u200b/g, ' '), ADDRESS_LIKE);
    assert.doesNotMatch(after, /:\/|:[^\u200b]/);
    assert.equal(after.replaceAll('\u200b', ''), text, 'it looks the same');
  });

test('an ordinary name and the end of a sentence stay as they are', () => {
  for (const text of ['Shop', 'Grüße, Köln & Söhne', 'A/B tests', 'It is down.', 'Wait … what?', '支払い。'])
    assert.equal(unlinked(text), text);
});

test('no scheme, host or mail address survives in any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'htp:/.@\\ a。1\u200b') }), (text) => {
      assert.doesNotMatch(unlinked(text), /:\/|\w\.\w|\w@\w|\\\\|\w。\w/u);
    }),
  );
});
