// How long something may still wait for a retry after a receiver refused it, or a server died with it.
import type { Clock } from '../harness/app.ts';

export type Retries = ReturnType<typeof makeRetries>;

/**
 * `pausesMs`: before each try; a pause may be a fifth longer. `deathMs`: how long after the death of a server another one has sent
 * what it was sending.
 */
export function makeRetries(clock: Clock, pausesMs: readonly number[], deathMs: number) {
  let isUp = true;
  let failingSinceMs = 0;
  let lostTries = 0;
  let untilMs = Number.NEGATIVE_INFINITY;
  const isRetried = () => !isUp || clock.ms() < untilMs;

  function beginFailing(): void {
    failingSinceMs = clock.ms();
    lostTries = 0;
  }

  /** The longest pause before the next try, at this time, of what has failed all the while. */
  function longestPause(atMs: number): number {
    let tries = 1;
    for (let spent = 0; tries < pausesMs.length - 1; tries++) {
      spent += 0.8 * (pausesMs[tries] ?? 0);
      if (spent > atMs - failingSinceMs) break;
    }
    return 1.2 * (pausesMs[Math.min(tries + lostTries, pausesMs.length - 1)] ?? 0);
  }

  return {
    isRetried,
    /** From now on everything is refused, or accepted again. */
    turn(up: boolean): void {
      if (up === isUp) return;
      if (!up && !isRetried()) beginFailing();
      if (up) untilMs = clock.ms() + Math.max(deathMs, longestPause(clock.ms()));
      isUp = up;
    },
    /** A server died while it was sending, or gets its answers only at `lateMs`; the lost tries are counted like others. */
    noteInterrupted(lateMs: number, tries: number): void {
      if (!isRetried()) beginFailing();
      lostTries += tries;
      untilMs = Math.max(untilMs, clock.ms() + deathMs);
      if (Number.isFinite(lateMs))
        untilMs = Math.max(untilMs, lateMs + Math.max(deathMs, longestPause(lateMs)));
    },
  };
}
