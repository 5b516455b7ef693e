import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Heard } from './stream.ts';
import { type Line, makeSwitchboard } from './switchboard.ts';

function scene() {
  const opened: { path: string; hear: (heard: Heard) => void; closed: boolean }[] = [];
  const say = makeSwitchboard((path, hear) => {
    const stream = { path, hear, closed: false };
    opened.push(stream);
    return () => {
      stream.closed = true;
    };
  });
  const line = () => {
    const heard: Heard[] = [];
    return { heard, postMessage: (each: Heard) => void heard.push(each) } satisfies Line & { heard: Heard[] };
  };
  return { opened, say, line };
}

const listen = { listen: true, path: '/events', session: 'a' };
const leave = { ...listen, listen: false };
const event: Heard = { is: 'event', kind: 'incident', data: '{}' };

test('of any number of tabs one stream is open, and all hear it', () => {
  const { opened, say, line } = scene();
  const tabs = Array.from({ length: 9 }, line);
  for (const tab of tabs) say(tab, listen);
  assert.equal(opened.length, 1);
  opened[0]?.hear(event);
  for (const { heard } of tabs) assert.deepEqual(heard, [event]);
});

test('who comes later is told how the stream stands, and no event of before', () => {
  const { opened, say, line } = scene();
  say(line(), listen);
  opened[0]?.hear({ is: 'open' });
  opened[0]?.hear(event);
  const late = line();
  say(late, listen);
  assert.deepEqual(late.heard, [{ is: 'open' }]);
});

test('the stream is closed when the last tab has left, and opened anew for the next', () => {
  const { opened, say, line } = scene();
  const [one, other] = [line(), line()];
  say(one, listen);
  say(other, listen);
  say(one, leave);
  assert.equal(opened[0]?.closed, false);
  opened[0]?.hear(event);
  assert.deepEqual([one.heard, other.heard], [[], [event]]);
  say(other, leave);
  say(other, leave);
  assert.equal(opened[0]?.closed, true);
  say(one, listen);
  assert.equal(opened.length, 2);
});

test('another session has a stream of its own: nobody hears what is told to somebody else', () => {
  const { opened, say, line } = scene();
  const [one, other] = [line(), line()];
  say(one, listen);
  say(other, { ...listen, session: 'b' });
  opened[0]?.hear(event);
  assert.deepEqual([opened.length, other.heard], [2, []]);
});
