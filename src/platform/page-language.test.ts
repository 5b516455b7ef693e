import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filled, languageOf, preferredOf } from './page-language.ts';

test('a page uses the preferred one of the two languages', () => {
  const cases: [string | undefined, string][] = [
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['fr-FR,fr;q=0.9,de;q=0.7,en;q=0.5', 'de'],
    ['de;q=0,en', 'en'],
    ['de-CH', 'de'],
    ['DE-de', 'de'],
    ['de,en', 'de'],
    ['en,de', 'en'],
    ['fr', 'en'],
    ['*', 'en'],
    ['de;q=x', 'en'],
    [`${'x,'.repeat(100_000)}de`, 'en'],
  ];
  for (const [header, language] of cases)
    assert.equal(languageOf(header), language, String(header).slice(0, 50));
});

test('a header that prefers neither has no effect', () => {
  for (const header of [undefined, '', '*', 'fr']) assert.equal(preferredOf(header), null);
  assert.equal(preferredOf('fr, de;q=0.1'), 'de');
});

test('a name that looks like a placeholder is left alone', () => {
  assert.equal(filled('{a} and {b}', { a: '{b}', b: 2 }), '{b} and 2');
});
