import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Change, shownAs } from './shown-as.ts';

const shown = (change: Change) => shownAs({ tags: ['web', 'eu'] }, change);

test('a bulk change shows on each monitor the result that the server will produce', () => {
  assert.deepEqual(shown({ action: 'pause' }), { enabled: false });
  assert.deepEqual(shown({ action: 'resume' }), { enabled: true });
  assert.deepEqual(shown({ action: 'add_tags', tags: ['EU ', 'New'] }), { tags: ['web', 'eu', 'new'] });
  assert.deepEqual(shown({ action: 'remove_tags', tags: ['EU', 'none'] }), { tags: ['web'] });
});

test('results that only the server knows are not guessed', () => {
  for (const action of ['delete', 'move', 'set_profile'] as const) assert.deepEqual(shown({ action }), {});
});
