import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StreamMessage } from './stream.ts';
import { type Line, makeStreamHub } from './stream-hub.ts';

function scene() {
  const opened: { path: string; onMessage: (message: StreamMessage) => void; closed: boolean }[] = [];
  const say = makeStreamHub((path, onMessage) => {
    const stream = { path, onMessage, closed: false };
    opened.push(stream);
    return () => {
      stream.closed = true;
    };
  });
  const line = () => {
    const messages: StreamMessage[] = [];
    return { messages, postMessage: (each: StreamMessage) => void messages.push(each) } satisfies Line & {
      messages: StreamMessage[];
    };
  };
  return { opened, say, line };
}

const listen = { listen: true, path: '/events', session: 'a' };
const leave = { ...listen, listen: false };
const event: StreamMessage = { is: 'event', kind: 'incident', data: '{}' };

test('any number of tabs share one stream, and all receive its events', () => {
  const { opened, say, line } = scene();
  const tabs = Array.from({ length: 9 }, line);
  for (const tab of tabs) say(tab, listen);
  assert.equal(opened.length, 1);
  opened[0]?.onMessage(event);
  for (const { messages } of tabs) assert.deepEqual(messages, [event]);
});

test('a later tab is told the state of the stream, and no earlier event', () => {
  const { opened, say, line } = scene();
  say(line(), listen);
  opened[0]?.onMessage({ is: 'open' });
  opened[0]?.onMessage(event);
  const late = line();
  say(late, listen);
  assert.deepEqual(late.messages, [{ is: 'open' }]);
});

test('the stream is closed when the last tab has left, and reopened for the next', () => {
  const { opened, say, line } = scene();
  const [one, other] = [line(), line()];
  say(one, listen);
  say(other, listen);
  say(one, leave);
  assert.equal(opened[0]?.closed, false);
  opened[0]?.onMessage(event);
  assert.deepEqual([one.messages, other.messages], [[], [event]]);
  say(other, leave);
  say(other, leave);
  assert.equal(opened[0]?.closed, true);
  say(one, listen);
  assert.equal(opened.length, 2);
});

test('another session has its own stream: no tab receives another session’s events', () => {
  const { opened, say, line } = scene();
  const [one, other] = [line(), line()];
  say(one, listen);
  say(other, { ...listen, session: 'b' });
  opened[0]?.onMessage(event);
  assert.deepEqual([opened.length, other.messages], [2, []]);
});
