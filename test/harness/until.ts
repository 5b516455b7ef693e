// Waits for a condition that nothing announces: polls it up to a deadline.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

const MAX_PAUSE_MS = 80;

/** Resolves once `met` holds; fails with `what` if it does not within `withinMs`. */
export async function until(
  met: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 60_000,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  // Soon at first, then less often: many look at once, and each look costs the machine that they wait for.
  for (let pauseMs = 5; !(await met()); pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    assert.ok(performance.now() < deadline, `not within ${withinMs / 1000} s: ${what}`);
    await pause(pauseMs);
  }
}
