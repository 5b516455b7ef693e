import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intervalInForce } from './check-interval.ts';
import { World } from './confirmation.testing.ts';

const usual = { intervalSeconds: 60, failedIntervalSeconds: 15 };
const calm = { intervalSeconds: 60, sinceMs: null };
const checkInterval = (w: World, sinceMs: number | null = null, intervals = usual) =>
  intervalInForce(w.state, w.online, intervals, sinceMs);

test('checks are faster from the first failing result on', () => {
  const w = new World().passes('a b c', 0);
  assert.deepEqual(checkInterval(w), calm);
  w.fails('b', 60);
  assert.deepEqual(checkInterval(w), { intervalSeconds: 15, sinceMs: 60_000 });
});

test('faster checks keep their phase', () => {
  const w = new World().fails('b', 60, 75).fails('a', 80);
  assert.deepEqual(checkInterval(w, 60_000), { intervalSeconds: 15, sinceMs: 60_000 });
});

test('if the streak is broken before an alarm, the normal interval returns', () => {
  const w = new World().fails('a', 60).passes('a', 75);
  assert.deepEqual(checkInterval(w, 60_000), calm);
});

test('checks stay faster while a region is failing, despite single passing results', () => {
  const w = new World().fails('a', 60, 75).passes('a', 90);
  assert.equal(checkInterval(w, 60_000).intervalSeconds, 15);
  w.passes('a', 105);
  assert.deepEqual(checkInterval(w, 60_000), calm);
});

test('a failed interval that is not shorter changes nothing', () => {
  const w = new World().fails('a', 60, 75);
  assert.deepEqual(checkInterval(w, null, { intervalSeconds: 10, failedIntervalSeconds: 15 }), {
    intervalSeconds: 10,
    sinceMs: null,
  });
});

test('a failing region that is offline does not speed up checks', () => {
  const w = new World().fails('a', 60, 75);
  w.online = ['b', 'c'];
  assert.deepEqual(checkInterval(w, 60_000), calm);
});
