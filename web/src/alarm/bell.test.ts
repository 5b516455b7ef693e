import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROUND_SECONDS, volumeOfRound } from './bell.ts';

test('the bell starts quietly, never gets quieter, and peaks within half a minute', () => {
  const rounds = Array.from({ length: 40 }, (_, round) => volumeOfRound(round));
  assert.ok(rounds[0]! <= 0.15);
  for (const [at, volume] of rounds.entries()) {
    assert.ok(volume > 0 && volume <= 1);
    assert.ok(volume >= (rounds[at - 1] ?? 0));
  }
  assert.equal(volumeOfRound(Math.ceil(30 / ROUND_SECONDS)), 1);
});
