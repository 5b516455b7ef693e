import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkedTags } from './tags.ts';

test('tags are trimmed, lower-cased and deduplicated', () => {
  assert.deepEqual(checkedTags([' Prod ', 'prod', 'team:Core', 'Zürich', 'a b']), [
    'prod',
    'team:core',
    'zürich',
    'a b',
  ]);
});

for (const tag of ['', '  ', 'a,b', '-a', 'a\nb', 'x'.repeat(51), 'a\u0000b'])
  test(`${JSON.stringify(tag)} is no tag`, () => {
    assert.throws(
      () => checkedTags([tag]),
      ({ code, details }) => code === 'invalid_request' && details.field === 'tags',
    );
  });

test('the refusal of a tag says what to enter, also without the name of its field', () => {
  assert.throws(
    () => checkedTags(['eins,zwei']),
    ({ message, details }) =>
      /^tags cannot contain "eins,zwei": give each tag by itself, with 1 to 50 letters/.test(message) &&
      details.reason === 'invalid_tag',
  );
});

test('a monitor has at most 20 tags', () => {
  const many = Array.from({ length: 21 }, (_, i) => `t${i}`);
  assert.equal(checkedTags(many.slice(1)).length, 20);
  assert.throws(() => checkedTags(many), /at most 20/);
});
