import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addPendingNote, NOTE_UNDO_MS, pendingNotes, takeUnsentNote } from './pending-notes.ts';

/** These tests do not need the events of a window. */
Object.assign(globalThis, { addEventListener: () => undefined, removeEventListener: () => undefined });

const settled = () => new Promise((resolve) => setImmediate(resolve));
const shown = () => pendingNotes().map(({ body }) => body);

/** A new note; `seen` records the callbacks. */
function written(t: TestContext, body: string, send: (onSent: () => void) => Promise<unknown>) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const seen: string[] = [];
  addPendingNote(
    { incidentId: 'inc_1', body, kind: 'note', author_name: 'Nora' },
    {
      send: (onSent) => {
        seen.push('sent');
        return send(onSent);
      },
      onRefused: (error) => seen.push(String(error)),
    },
  );
  return seen;
}

test('a note is shown at once, sent after the time to undo it, and shown until the stored one is', async (t) => {
  const seen = written(t, 'Rolling back.', async (onSent) => {
    assert.deepEqual(shown(), ['Rolling back.']);
    assert.equal(pendingNotes()[0]?.takeBack, null, 'it is too late');
    onSent();
  });
  assert.deepEqual(shown(), ['Rolling back.']);
  t.mock.timers.tick(NOTE_UNDO_MS - 1);
  assert.deepEqual(seen, []);
  t.mock.timers.tick(1);
  await settled();
  assert.deepEqual([seen, shown(), takeUnsentNote('inc_1')], [['sent'], [], undefined]);
});

test('the text of an undone note returns, once, and is never sent', async (t) => {
  const seen = written(t, 'To the wrong incident', async () => undefined);
  pendingNotes()[0]?.takeBack?.();
  t.mock.timers.tick(NOTE_UNDO_MS * 2);
  await settled();
  assert.deepEqual([seen, shown()], [[], []]);
  assert.equal(takeUnsentNote('inc_2'), undefined);
  assert.equal(takeUnsentNote('inc_1'), 'To the wrong incident');
  assert.equal(takeUnsentNote('inc_1'), undefined);
});

test('a refusal is reported, and the text returns', async (t) => {
  const seen = written(t, 'It was the cache.', () => Promise.reject(new Error('away')));
  t.mock.timers.tick(NOTE_UNDO_MS);
  await settled();
  assert.deepEqual([seen, shown()], [['sent', 'Error: away'], []]);
  assert.equal(takeUnsentNote('inc_1'), 'It was the cache.');
});
