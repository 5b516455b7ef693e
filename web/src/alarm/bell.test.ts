import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loudness, ROUND_SECONDS } from './bell.ts';

test('the bell starts quietly, never gets quieter, and peaks within half a minute', () => {
  const rounds = Array.from({ length: 40 }, (_, round) => loudness(round));
  assert.ok(rounds[0]! <= 0.15);
  for (const [at, volume] of rounds.entries()) {
    assert.ok(volume > 0 && volume <= 1);
    assert.ok(volume >= (rounds[at - 1] ?? 0));
  }
  assert.equal(loudness(Math.ceil(30 / ROUND_SECONDS)), 1);
});
