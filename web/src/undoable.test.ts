import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doAfterUndoTime, UNDO_MS, type Undoable, undo } from './undoable.ts';

/** A deletion that records its callbacks. */
function makeDeletion(send: () => Promise<unknown> = () => Promise.resolve()) {
  const seen: string[] = [];
  const deletion: Undoable = {
    ids: ['mon_1'],
    send: () => {
      seen.push('sent');
      return send();
    },
    onUndone: () => seen.push('undone'),
    onDone: () => seen.push('done'),
    onRefused: (error) => seen.push(String(error)),
  };
  return { deletion, seen };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** These tests do not need the events of a window. */
Object.assign(globalThis, { addEventListener: () => undefined, removeEventListener: () => undefined });

test('a deletion is sent when the time to undo it is over, and not before', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { deletion, seen } = makeDeletion();
  doAfterUndoTime(deletion);
  t.mock.timers.tick(UNDO_MS - 1);
  assert.deepEqual(seen, []);
  t.mock.timers.tick(1);
  await settled();
  assert.deepEqual(seen, ['sent', 'done']);
  assert.equal(undo(deletion), false, 'it is too late');
});

test('an undone deletion is never sent', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { deletion, seen } = makeDeletion();
  doAfterUndoTime(deletion);
  assert.equal(undo(deletion), true);
  t.mock.timers.tick(UNDO_MS * 2);
  await settled();
  assert.deepEqual(seen, ['undone']);
});

test('a refusal is reported', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { deletion, seen } = makeDeletion(() => Promise.reject(new Error('in use')));
  doAfterUndoTime(deletion);
  t.mock.timers.tick(UNDO_MS);
  await settled();
  assert.deepEqual(seen, ['sent', 'Error: in use']);
});

test('what is being deleted is not deleted again, until it was undone', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const [first, second, third] = [makeDeletion(), makeDeletion(), makeDeletion()];
  assert.equal(doAfterUndoTime(first.deletion), true);
  assert.equal(doAfterUndoTime(second.deletion), false);
  undo(first.deletion);
  assert.equal(doAfterUndoTime(third.deletion), true);
  t.mock.timers.tick(UNDO_MS);
  await settled();
  assert.deepEqual([first.seen, second.seen, third.seen], [['undone'], [], ['sent', 'done']]);
});

test('notes without ids wait side by side', () => {
  const steps = [makeDeletion(), makeDeletion()].map(({ deletion }) => ({ ...deletion, ids: [] }));
  assert.deepEqual(steps.map(doAfterUndoTime), [true, true]);
  for (const step of steps) undo(step);
});
