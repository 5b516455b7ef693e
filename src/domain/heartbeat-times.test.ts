import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { serverTimesOf } from './heartbeat-times.ts';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

test('an agent in step with the server keeps its own times, so that a retry has the same instants', () => {
  const sent = [NOW - 2 * MINUTE, NOW - MINUTE, NOW - 800];
  assert.deepEqual(serverTimesOf(sent, NOW - 800, NOW), sent);
  assert.deepEqual(serverTimesOf(sent, NOW + 3_000, NOW + 3_600), sent);
});

test('if an agent’s clock is wrong, its intervals count', () => {
  const ahead = 3 * 3_600_000;
  const sent = [NOW - 2 * MINUTE, NOW - MINUTE, NOW].map((ms) => ms + ahead);
  assert.deepEqual(serverTimesOf(sent, NOW + ahead, NOW), [NOW - 2 * MINUTE, NOW - MINUTE, NOW]);
});

test('a clock set back between two heartbeats does not reorder them', () => {
  const sent = [NOW + 3_600_000, NOW - MINUTE, NOW];
  assert.deepEqual(serverTimesOf(sent, NOW, NOW), [NOW - MINUTE - 1, NOW - MINUTE, NOW]);
});

test('whatever an agent claims, each heartbeat is later than the previous one and none is in the future', () => {
  const time = fc.integer({ min: 0, max: 253402300799999 });
  fc.assert(
    fc.property(fc.array(time, { minLength: 1, maxLength: 50 }), time, (sent, posted) => {
      const placed = serverTimesOf(sent, posted, NOW);
      assert.equal(placed.length, sent.length);
      for (const [i, at] of placed.entries()) {
        assert.ok(at <= NOW + 5_000);
        if (i > 0) assert.ok(at > (placed[i - 1] ?? 0));
      }
    }),
  );
});
