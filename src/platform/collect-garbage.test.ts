import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterCalmMinute } from './collect-garbage.ts';

const MINUTE_MS = 60_000;

test('a busy process is left alone until its first calm minute, which counts once', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const usage = { idle: 0, active: 0 };
  let acts = 0;
  afterCalmMinute(
    () => acts++,
    () => ({ ...usage }),
  );
  const seen = [54_000, 12_600, 600, 0, 0].map((busyMs) => {
    usage.active += busyMs;
    usage.idle += MINUTE_MS - busyMs;
    t.mock.timers.tick(MINUTE_MS);
    return acts;
  });
  assert.deepEqual(seen, [0, 0, 1, 1, 1]);
});
