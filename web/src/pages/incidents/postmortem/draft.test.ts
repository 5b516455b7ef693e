import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Postmortem } from '#src/incidents/actions-contract.ts';
import { afterSave, changesIn, clashesIn, EMPTY, settled, tooLong, UNWRITTEN, withText } from './draft.ts';

test('text written during a save remains to be saved', () => {
  const sent = { title: 'Down', summary: 'A' };
  const written = {
    draft: { ...sent, summary: 'A and B', impact: 'none' },
    before: { title: '', summary: '', impact: 'some' },
  };
  assert.deepEqual(afterSave(written, sent), {
    draft: { summary: 'A and B', impact: 'none' },
    before: { summary: 'A', impact: 'some' },
  });
});

const stored = (texts: Partial<Postmortem>): Postmortem => ({ ...EMPTY, ...texts });

test('the same text written by two people is a clash, until the reader has decided', () => {
  const shown = stored({ summary: 'A', impact: 'some' });
  const mine = withText(UNWRITTEN, 'summary', 'A of mine', { shown, first: null });
  const written = withText(mine, 'impact', 'none', { shown, first: null });
  const theirs = stored({ summary: 'A of theirs', impact: 'some' });
  assert.deepEqual(
    clashesIn(written, theirs).map(({ path }) => path),
    ['summary'],
  );
  assert.deepEqual(settled(written, theirs, 'theirs').draft, { impact: 'none' });
  const kept = settled(written, theirs, 'mine');
  assert.deepEqual([clashesIn(kept, theirs), kept.draft.summary], [[], 'A of mine']);
});

test('initial content is saved with the first change, but not over what somebody else has begun', () => {
  const first = { title: 'Down', summary: 'Times' };
  const shown = stored(first);
  const written = withText(UNWRITTEN, 'lessons', 'Test it', { shown, first });
  assert.deepEqual(changesIn(written, null), { ...first, lessons: 'Test it' });
  const theirs = stored({ title: 'Their title' });
  assert.deepEqual([clashesIn(written, theirs), changesIn(written, theirs)], [[], { lessons: 'Test it' }]);
});

test('only the title that is too long is reported', () => {
  assert.deepEqual(tooLong({ title: 'x'.repeat(201), summary: 'x'.repeat(20_000) }), ['title']);
});

test('an empty post-mortem is an internal draft with eight empty texts', () => {
  const { status, visibility, published_at_unix, ...texts } = EMPTY;
  assert.deepEqual([status, visibility, published_at_unix], ['draft', 'internal', null]);
  assert.deepEqual(Object.values(texts), Array(8).fill(''));
});
