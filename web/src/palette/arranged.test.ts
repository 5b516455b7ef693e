import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adjacentKey, arranged } from './arranged.ts';
import type { Group, Item } from './item.ts';

const item = (group: Group, label: string, words: string[] = []): Item => ({
  key: label,
  group,
  label,
  words,
  icon: null,
  run: () => undefined,
});
const listed = (typed: string, items: Item[]) =>
  arranged(typed, items).map(({ group, items: found }) => [group, ...found.map(({ label }) => label)]);

test('before anything is typed the groups are in fixed order, with at most five open incidents', () => {
  const incidents = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => item('incidents', name));
  const items = [item('actions', 'Sign out'), ...incidents, item('pages', 'Hosts'), item('subject', 'Pause')];
  assert.deepEqual(listed('', items), [
    ['subject', 'Pause'],
    ['pages', 'Hosts'],
    ['incidents', 'a', 'b', 'c', 'd', 'e'],
    ['actions', 'Sign out'],
  ]);
});

test('the group with the best match comes first, and groups list only matches', () => {
  const items = [
    item('pages', 'Plan a shop window'),
    item('pages', 'Hosts'),
    item('monitors', 'Shop'),
    item('actions', 'Leave', ['shop']),
  ];
  assert.deepEqual(listed('shop', items), [
    ['monitors', 'Shop'],
    ['pages', 'Plan a shop window'],
    ['actions', 'Leave'],
  ]);
  assert.deepEqual(listed('nothing', items), []);
});

test('a long group is truncated', () => {
  const many = Array.from({ length: 30 }, (_, at) => item('monitors', `Shop ${at}`));
  assert.equal(arranged('shop', many)[0]?.items.length, 8);
});

test('the selection wraps around at both ends', () => {
  assert.equal(adjacentKey(['a', 'b'], 'b', 1), 'a');
  assert.equal(adjacentKey(['a', 'b'], 'a', -1), 'b');
  assert.equal(adjacentKey([], 'a', 1), undefined);
});
