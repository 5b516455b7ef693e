// Spends from a budget for a minute or a day, or refuses until the next one.
import type { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { refuse } from '../refusals.ts';

/** Takes `points`; if too few are left, throws 429 `rate_limited` with `sentence` and the time to wait. */
export async function consume(
  budget: RateLimiterMemory,
  of: string,
  points: number,
  sentence: string,
): Promise<void> {
  const over = await budget.consume(of, points).then(
    () => null,
    (result: RateLimiterRes) => result,
  );
  if (over)
    refuse('rate_limited', `${sentence}; wait for the next one.`, {
      retryAfterSeconds: Math.max(1, Math.ceil(over.msBeforeNext / 1000)),
    });
}
