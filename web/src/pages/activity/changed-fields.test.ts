import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedFields } from './changed-fields.ts';

test('only differences are shown, nested ones by their path', () => {
  const before = { name: 'Shop', config: { url: 'http://a', timeout: 5 }, regions: ['eu'] };
  const after = { name: 'Shop', config: { url: 'http://b', timeout: 5 }, regions: ['eu', 'us'] };
  assert.deepEqual(changedFields(before, after), [
    { path: 'config.url', before: 'http://a', after: 'http://b' },
    { path: 'regions', before: ['eu'], after: ['eu', 'us'] },
  ]);
});

test('for a created or deleted resource every field is shown', () => {
  assert.deepEqual(changedFields(null, { name: 'Shop', plan: { name: null } }), [
    { path: 'name', before: undefined, after: 'Shop' },
    { path: 'plan.name', before: undefined, after: null },
  ]);
  assert.deepEqual(changedFields({ name: 'Shop' }, null), [
    { path: 'name', before: 'Shop', after: undefined },
  ]);
});

test('an object that became a plain value is removed leaf by leaf', () => {
  assert.deepEqual(changedFields({ policy: { grace: 1 } }, { policy: null }), [
    { path: 'policy.grace', before: 1, after: undefined },
    { path: 'policy', before: undefined, after: null },
  ]);
});

test('without recorded states nothing changed', () => {
  assert.deepEqual(changedFields(null, null), []);
  assert.deepEqual(changedFields({ headers: {} }, { headers: {} }), []);
});
