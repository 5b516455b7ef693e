import assert from 'node:assert/strict';
import { test } from 'node:test';
import { de } from './de/index.ts';
import { en } from './en/index.ts';

function leaves(texts: object, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value]] : leaves(value as object, `${path}${key}.`),
  );
}

const variables = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).sort();

test('every text has a German form, and none is left in English by mistake of a missing key', () => {
  assert.deepEqual(
    leaves(de)
      .map(([key]) => key)
      .sort(),
    leaves(en)
      .map(([key]) => key)
      .sort(),
  );
});

test('both languages fill in the same values', () => {
  const german = new Map(leaves(de));
  for (const [key, text] of leaves(en)) {
    // A form for exactly one may say the number in words.
    if (key.endsWith('_one')) continue;
    assert.deepEqual(variables(german.get(key) ?? ''), variables(text), key);
  }
});
