import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { slugFrom } from './slug.ts';

for (const [name, slug] of [
  ['Acme Inc.', 'acme-inc'],
  ['  Überwachung -- Köln  ', 'ueberwachung-koeln'],
  ['myShop', 'myshop'],
  ['a_b__c', 'a-b-c'],
  ['Привет', 'privet'],
  ['日本', ''],
  ['!!!', ''],
  ['', ''],
  [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
] as const) {
  test(`the slug of ${JSON.stringify(name.slice(0, 30))} is ${JSON.stringify(slug.slice(0, 30))}`, () => {
    assert.equal(slugFrom(name), slug);
  });
}

test('every slug is empty, or at most 63 lower-case ASCII letters, digits and single inner hyphens', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
      const slug = slugFrom(name);
      assert.match(slug, /^([a-z0-9]+(-[a-z0-9]+)*)?$/);
      assert.ok(slug.length <= 63);
    }),
  );
});
