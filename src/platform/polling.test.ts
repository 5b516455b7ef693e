import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPolling, withJitter } from './polling.ts';

test('a poll comes up to a fifth of its period early, and never late', () => {
  assert.equal(withJitter(10_000, 0), 10_000);
  assert.equal(withJitter(10_000, 0.5), 9_000);
  assert.ok(withJitter(10_000, 0.999) >= 8_000);
});

test('polls that begin together do not stay together', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const turns = [0.1, 0.9, 0.3, 0.6];
  t.mock.method(Math, 'random', () => turns.shift() ?? 0.5);
  let elapsedMs = 0;
  const polls: [string, number][] = [];
  const stops = ['one', 'other'].map((name) => startPolling(() => polls.push([name, elapsedMs]), 1_000));
  for (; elapsedMs < 1_950; elapsedMs += 1) t.mock.timers.tick(1);
  for (const stop of stops) stop();
  t.mock.timers.tick(5_000);
  assert.deepEqual(polls, [
    ['other', 819],
    ['one', 979],
    ['other', 1_759],
    ['one', 1_859],
  ]);
});
