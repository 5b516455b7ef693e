import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Note } from '#src/incidents/actions-contract.ts';
import { deliveryOf, linesOf, matchesFilter } from './lines.ts';

const entry = (
  at_unix: number,
  kind: string,
  detail: string | null = null,
  actor_name: string | null = null,
) => ({
  id: String(at_unix),
  at_unix,
  kind,
  detail,
  actor_name,
});
const note = (created_at_unix: number, body: string): Note => ({
  id: `nte_${body}`,
  body,
  kind: 'note',
  visibility: 'internal',
  author_name: 'Ada',
  created_at_unix,
});

test('deliveries of one event are collapsed into one line, even with pages between them', () => {
  const lines = linesOf(
    [
      entry(1, 'opened'),
      entry(2, 'delivered', 'opened to Chat'),
      entry(2, 'paged', 'Ada by e-mail'),
      entry(3, 'delivered', 'opened to Operations'),
      entry(4, 'acknowledged', null, 'Ada'),
      entry(5, 'delivered', 'opened to Slow'),
      entry(6, 'delivered', 'acknowledged to Chat'),
    ],
    [],
  );
  assert.deepEqual(
    lines.map((line) => [line.is, line.kind, line.is === 'collapsed' ? line.entries.length : 1]),
    [
      ['entry', 'opened', 1],
      ['collapsed', 'delivered', 2],
      ['entry', 'paged', 1],
      ['entry', 'acknowledged', 1],
      ['entry', 'delivered', 1],
      ['entry', 'delivered', 1],
    ],
  );
});

test('a few failures stay separate lines', () => {
  const failures = [1, 2, 3].map((at) => entry(at, 'delivery_failed', `opened to T${at}: timeout`));
  assert.equal(linesOf(failures, []).length, 3);
  assert.equal(linesOf([...failures, entry(4, 'delivery_failed', 'opened to T4: timeout')], []).length, 1);
});

test('entries too few to collapse keep their own times', () => {
  const lines = linesOf(
    [
      entry(1, 'paged', 'the loud alarm rings', 'Ada'),
      entry(2, 'delivery_failed', 'opened to Chat: timeout'),
      entry(3, 'paged', 'by e-mail', 'Ada'),
    ],
    [],
  );
  assert.deepEqual(
    lines.map(({ atUnix }) => atUnix),
    [1, 2, 3],
  );
});

test('a note replaces its entry, and is shown without one', () => {
  const lines = linesOf(
    [entry(1, 'opened'), entry(5, 'note'), entry(5, 'acknowledged')],
    [note(5, 'first'), note(3, 'second')],
  );
  assert.deepEqual(
    lines.map((line) => (line.is === 'note' ? line.note.body : line.kind)),
    ['opened', 'second', 'first', 'acknowledged'],
  );
});

test('a delivery names its event and its target, whatever the target is called', () => {
  assert.deepEqual(deliveryOf('opened to Room to\nmove'), {
    event: 'opened',
    target: 'Room to\nmove',
    others: 0,
  });
  assert.deepEqual(deliveryOf('opened to Chat, in one message with 41 others'), {
    event: 'opened',
    target: 'Chat',
    others: 41,
  });
  assert.equal(deliveryOf('told together'), null);
  assert.equal(deliveryOf(null), null);
});

test('the filters separate the alarm from people; opening and end belong to both', () => {
  const [opened, asked, gate, paged, acknowledged] = linesOf(
    [
      entry(1, 'opened'),
      entry(2, 'held', null, 'Ada'),
      entry(3, 'hold_ended'),
      entry(4, 'paged', 'Ada by e-mail'),
      entry(5, 'acknowledged', null, 'Ada'),
    ],
    [],
  );
  for (const [line, people, alarm] of [
    [opened, true, true],
    [asked, true, true],
    [gate, false, true],
    [paged, false, true],
    [acknowledged, true, false],
  ] as const) {
    assert.ok(line);
    assert.deepEqual(
      [matchesFilter(line, 'people'), matchesFilter(line, 'alarm'), matchesFilter(line, 'all')],
      [people, alarm, true],
    );
  }
});
