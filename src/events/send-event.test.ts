import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LiveEvent, sendNext } from './send-event.ts';
import type { Subscriber } from './subscriber.ts';

const EVENTS: LiveEvent[] = [1, 2, 3, 4].map((seq) => ({
  seq,
  kind: 'monitor',
  payload: { project_id: 'p' },
}));
const after = (afterSeq: number) => EVENTS.filter(({ seq }) => seq > afterSeq);

function stream(lastSeq: number) {
  const had: number[] = [];
  const write = (text: string) => had.push(Number(/^id: (\d+)/.exec(text)?.[1]));
  const credential = { kind: 'user', id: 'u' };
  return { had, reader: { lastSeq, credential, within: null, response: { write } } as unknown as Subscriber };
}

test('a stream that resumes while others’ events are read loses none of its own', async () => {
  const [open, ended, resumed] = [stream(2), stream(2), stream(0)];
  const own = new Set([open.reader, ended.reader]);
  await sendNext(own, async (afterSeq) => {
    own.add(resumed.reader);
    own.delete(ended.reader);
    return after(afterSeq);
  });
  assert.deepEqual([open.had, ended.had, resumed.had], [[3, 4], [], []]);
  await sendNext(own, async (afterSeq) => after(afterSeq));
  assert.deepEqual(
    [open.had, resumed.had],
    [
      [3, 4],
      [1, 2, 3, 4],
    ],
  );
});
