// The wait before the next attempt (docs/rules/agents.md#buffering). Pure.

const FIRST_MS = 2_000;
const CEILING_MS = 120_000;
/** A server asks all agents to wait for the same time; their returns are spread over this. */
const SPREAD_MS = 10_000;
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/**
 * The wait before the n-th retry in a row (0 is the first): random, up to 2 s doubling to 2 minutes, so that agents do not all
 * return at once after an outage of their server; and never less than the server asked for.
 */
export function retryDelayMs(attempt: number, retryAfterMs: number, random: number): number {
  const maxMs = Math.min(CEILING_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  const askedMs = Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS);
  return Math.max(random * maxMs, askedMs === 0 ? 0 : askedMs + random * SPREAD_MS);
}
