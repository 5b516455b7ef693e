// Waits for a condition that nothing announces: polls it up to a deadline.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** Resolves once `met` holds; fails with `what` if it does not within `withinMs`. */
export async function until(
  met: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 60_000,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await met())) {
    assert.ok(performance.now() < deadline, `not within ${withinMs / 1000} s: ${what}`);
    await pause(20);
  }
}
