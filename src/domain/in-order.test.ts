import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inOrder } from './in-order.ts';

test('an item comes behind what it needs; the others keep their order', () => {
  const needs: Record<string, string[]> = { a: ['c'], b: [], c: ['d'], d: [] };
  assert.deepEqual(
    inOrder(['a', 'b', 'c', 'd'], (item) => needs[item] ?? []),
    ['d', 'c', 'a', 'b'],
  );
});

test('a ring ends, and contains each item once', () => {
  const needs: Record<string, string[]> = { a: ['b'], b: ['c'], c: ['a'] };
  assert.deepEqual(
    inOrder(['a', 'b', 'c'], (item) => needs[item] ?? []),
    ['c', 'b', 'a'],
  );
});

test('without rings every item is behind all that it needs, and none is lost', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { maxLength: 60 }),
      fc.shuffledSubarray(Array.from({ length: 31 }, (_, i) => i)),
      (pairs, items) => {
        // Only larger numbers are needed, and only those among the items.
        const needs = (item: number) =>
          pairs.flatMap(([one, other]) =>
            one === item && other > item && items.includes(other) ? [other] : [],
          );
        const ordered = inOrder(items, needs);
        assert.deepEqual([...ordered].sort(), [...items].sort());
        const at = new Map(ordered.map((item, i) => [item, i]));
        for (const item of items) for (const need of needs(item)) assert.ok(at.get(need)! < at.get(item)!);
      },
    ),
  );
});

test('a chain of any length is ordered without recursion', () => {
  const items = Array.from({ length: 50_000 }, (_, i) => i);
  const ordered = inOrder(items, (item) => (item + 1 < items.length ? [item + 1] : []));
  assert.equal(ordered[0], items.length - 1);
});
