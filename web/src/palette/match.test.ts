import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bestMatches, rankOf } from './match.ts';

test('the start of a label beats starts of its words, these beat their middle, and all beat further words, of which starts beat the middle', () => {
  const ranks = ['chec', 'check api', 'api ch', 'eck', 'shop', 'shop check', 'hop', 'nothing'].map((typed) =>
    rankOf(typed, 'Checkout API', ['Web shop']),
  );
  assert.deepEqual(ranks, [0, 1, 1, 2, 3, 3, 4, null]);
});

test('case and accents make no difference', () => {
  assert.equal(rankOf('uber', 'Über uns'), 0);
  assert.equal(rankOf('ÜBER', 'uber uns'), 0);
  assert.equal(rankOf('cafe', 'Le Café'), 1);
});

test('equal matches keep their order, and an empty search leaves everything unchanged', () => {
  const items = ['On-call', 'Incidents', 'Monitors', 'All monitors'].map((label) => ({ label }));
  const labels = (typed: string) => bestMatches(typed, items).map(({ label }) => label);
  assert.deepEqual(labels('mon'), ['Monitors', 'All monitors']);
  assert.deepEqual(
    labels(' '),
    items.map(({ label }) => label),
  );
});

test('every label is found by itself, and by any of its words', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 }), (words) => {
      const label = words.join(' ');
      assert.notEqual(rankOf(label, label), null);
      for (const word of words) assert.notEqual(rankOf(word, label), null);
    }),
  );
});
