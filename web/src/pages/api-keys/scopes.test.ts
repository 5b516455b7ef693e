import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyLevel, grantsOf, levelOfAll, scopesOf } from './scopes.ts';

test('a choice becomes the fewest scopes: write alone, none for nothing', () => {
  const levels = { ...everyLevel('none'), monitors: 'write', incidents: 'read' } as const;
  assert.deepEqual(scopesOf(levels), ['monitors:write', 'incidents:read']);
});

test('a key with both scopes of a resource may write it, and is shown once', () => {
  assert.deepEqual(grantsOf(['monitors:read', 'monitors:write', 'projects:read']), [
    { resource: 'projects', level: 'read' },
    { resource: 'monitors', level: 'write' },
  ]);
});

test('all resources share one level only if they are equal', () => {
  assert.equal(levelOfAll(scopesOf(everyLevel('read'))), 'read');
  assert.equal(levelOfAll(scopesOf(everyLevel('write'))), 'write');
  assert.equal(levelOfAll(scopesOf({ ...everyLevel('write'), agents: 'read' })), undefined);
  assert.equal(levelOfAll([]), undefined);
});
