// Takes from a budget of a minute or a day, or refuses until that is over.
import type { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { refuse } from '../refusals.ts';

/** Takes `points`; throws 429 `rate_limited` with `sentence` and when to come back where they are not left. */
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
