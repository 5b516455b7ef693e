// How often somebody may do one thing, counted in this process's memory.
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { refuse } from '../refusals.ts';

export type PerMinute = {
  /** Counts one more for `key`; refuses with 429 and how long to wait when it is too much. */
  count: (key: string) => Promise<void>;
  /** Nothing is kept of `key` any more. */
  forget: (key: string) => void;
};

/** `points` a minute for each key; `sentence` is what is refused with beyond that. */
export function perMinute(points: number, sentence: string): PerMinute {
  const limiter = new RateLimiterMemory({ points, duration: 60, keyPrefix: '' });
  return {
    async count(key) {
      const spent = await limiter.consume(key).then(
        () => null,
        (result: RateLimiterRes) => result,
      );
      if (spent !== null)
        refuse('rate_limited', sentence, {
          retryAfterSeconds: Math.max(1, Math.ceil(spent.msBeforeNext / 1000)),
        });
    },
    forget(key) {
      void limiter.delete(key);
    },
  };
}
