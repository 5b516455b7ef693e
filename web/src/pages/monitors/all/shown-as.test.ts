import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Change, shownAs } from './shown-as.ts';

const shown = (change: Change) => shownAs({ tags: ['web', 'eu'] }, change);

test('a change of many shows on each what the server will make of it', () => {
  assert.deepEqual(shown({ action: 'pause' }), { enabled: false });
  assert.deepEqual(shown({ action: 'resume' }), { enabled: true });
  assert.deepEqual(shown({ action: 'add_tags', tags: ['EU ', 'New'] }), { tags: ['web', 'eu', 'new'] });
  assert.deepEqual(shown({ action: 'remove_tags', tags: ['EU', 'none'] }), { tags: ['web'] });
});

test('what only the server knows is not guessed', () => {
  for (const action of ['delete', 'move', 'set_profile'] as const) assert.deepEqual(shown({ action }), {});
});
