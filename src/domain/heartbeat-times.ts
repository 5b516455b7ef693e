// When the heartbeats of a post were measured, by the server's clock (docs/rules/agents.md#clocks). Pure; milliseconds.

/** An agent whose clock is this close to the server's keeps its own times. */
const IN_STEP_MS = 5_000;

/**
 * The server times of heartbeats that an agent sent at `postedMs` on its own clock, oldest first. An agent in step with the
 * server keeps its own times, so that a repeated heartbeat falls on the same instant. For any other, the post counts as sent
 * now and the distances are kept. Times that go back (the clock was set) are compressed, so that each is later than the one
 * before and none is in the future.
 */
export function serverTimesOf(sentMs: readonly number[], postedMs: number, nowMs: number): number[] {
  const offsetMs = Math.abs(nowMs - postedMs) <= IN_STEP_MS ? 0 : nowMs - postedMs;
  const placed: number[] = [];
  let latest = nowMs + (offsetMs === 0 ? IN_STEP_MS : 0);
  for (const sent of sentMs.toReversed()) {
    const at = Math.min(sent + offsetMs, latest);
    placed.push(at);
    latest = at - 1;
  }
  return placed.toReversed();
}
