import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAUSES_MS, pauseAfter } from './retry.ts';

test('a mail is retried after 5 s, 15 s, 45 s, 2 min, 5 min, and for about an hour', () => {
  const first = [1, 2, 3, 4, 5].map((attempt) => pauseAfter('mail', attempt, 0.5));
  assert.deepEqual(first, [5_000, 15_000, 45_000, 120_000, 300_000]);
  const all = PAUSES_MS.mail.reduce((sum, pause) => sum + pause, 0);
  assert.ok(all > 50 * 60_000 && all < 70 * 60_000, String(all));
});

test('delays vary by a fifth, and end after the last attempt', () => {
  for (const channel of ['mail', 'push'] as const) {
    for (const [at, pause] of PAUSES_MS[channel].entries()) {
      assert.equal(pauseAfter(channel, at + 1, 0), Math.round(pause * 0.8));
      assert.ok((pauseAfter(channel, at + 1, 0.999) ?? 0) <= pause * 1.2);
    }
    assert.equal(pauseAfter(channel, PAUSES_MS[channel].length + 1, 0.5), null);
  }
});

test('a service that asks for a longer delay gets it, up to ten minutes', () => {
  assert.equal(pauseAfter('push', 1, 0.5, 90_000), 90_000);
  assert.equal(pauseAfter('push', 1, 0.5, 1000), 5_000);
  assert.equal(pauseAfter('push', 1, 0.5, 86_400_000), 600_000);
});
