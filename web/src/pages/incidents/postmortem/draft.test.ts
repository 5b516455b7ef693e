import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterSave, EMPTY, tooLong } from './draft.ts';

test('text written during a save remains to be saved', () => {
  const sent = { title: 'Down', summary: 'A' };
  assert.deepEqual(afterSave({ ...sent, summary: 'A and B', impact: 'none' }, sent), {
    summary: 'A and B',
    impact: 'none',
  });
});

test('only the title that is too long is reported', () => {
  assert.deepEqual(tooLong({ title: 'x'.repeat(201), summary: 'x'.repeat(20_000) }), ['title']);
});

test('an empty post-mortem is an internal draft with eight empty texts', () => {
  const { status, visibility, published_at_unix, ...texts } = EMPTY;
  assert.deepEqual([status, visibility, published_at_unix], ['draft', 'internal', null]);
  assert.deepEqual(Object.values(texts), Array(8).fill(''));
});
