import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstRegion } from './first-region.ts';

const region = (slug: string, online = true) => ({ slug, name: slug.toUpperCase(), online });

test('a test starts in the first of the monitor’s regions that can check now, in the monitor’s order', () => {
  const offered = [region('eu'), region('us'), region('own', false)];
  assert.deepEqual(firstRegion(['us', 'eu'], offered), { slug: 'us', starts: true });
  assert.deepEqual(firstRegion(['own', 'eu'], offered), { slug: 'eu', starts: true });
});

test('if all of the monitor’s regions are offline the test does not start by itself, least of all elsewhere', () => {
  const offered = [region('eu'), region('own', false), region('own-2', false)];
  assert.deepEqual(firstRegion(['own-2', 'own'], offered), { slug: 'own-2', starts: false });
});

test('a monitor without regions starts in any that is online', () => {
  assert.deepEqual(firstRegion([], [region('own', false), region('eu')]), { slug: 'eu', starts: true });
  assert.deepEqual(firstRegion([], []), { slug: '', starts: true });
});
