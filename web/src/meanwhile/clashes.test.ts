import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedOf, clashesOf, followedOf, mergedOf } from './clashes.ts';

const BASE = { name: 'Shop', tags: ['a'], config: { url: 'https://a/', timeout: 10 } };
const MINE = { name: 'My shop', tags: ['a'], config: { url: 'https://mine/', timeout: 10 } };

test('changes of different fields are both kept, inside a configuration too', () => {
  const theirs = { name: 'Shop', tags: ['a', 'b'], config: { url: 'https://a/', timeout: 20 } };
  assert.deepEqual(clashesOf(BASE, MINE, theirs), []);
  assert.deepEqual(mergedOf(BASE, MINE, theirs, 'mine'), {
    name: 'My shop',
    tags: ['a', 'b'],
    config: { url: 'https://mine/', timeout: 20 },
  });
});

test('the same field changed on both sides is a clash, and one of them is preferred', () => {
  const theirs = { name: 'Their shop', tags: ['a'], config: { url: 'https://a/', timeout: 20 } };
  assert.deepEqual(clashesOf(BASE, MINE, theirs), [{ path: 'name', mine: 'My shop', theirs: 'Their shop' }]);
  assert.equal(mergedOf(BASE, MINE, theirs, 'mine').name, 'My shop');
  const others = mergedOf(BASE, MINE, theirs, 'theirs');
  assert.deepEqual([others.name, others.config], ['Their shop', { url: 'https://mine/', timeout: 20 }]);
});

test('the same change on both sides is no clash, nor is a change that was taken back', () => {
  assert.deepEqual(clashesOf(BASE, MINE, MINE), []);
  assert.deepEqual(clashesOf(BASE, BASE, MINE), []);
});

test('only changed fields are sent', () => {
  assert.deepEqual(changedOf(BASE, { ...BASE, tags: [] }), { tags: [] });
});

test('a field that is first changed where it shows their change is no clash', () => {
  const theirs = { name: 'Shop', tags: ['a', 'b'], config: { url: 'https://theirs/', timeout: 20 } };
  const base = followedOf(BASE, MINE, theirs);
  assert.deepEqual(base, { ...theirs, config: { url: 'https://a/', timeout: 20 } });
  const mine = { ...mergedOf(BASE, MINE, theirs, 'mine'), tags: ['c'] };
  const [clash, ...others] = clashesOf(base, mine, theirs);
  assert.deepEqual([clash?.path, others], ['config.url', []]);
});
