// Limits how often a key may do one thing, counted in this process's memory.
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { refuse } from '../refusals.ts';

export type PerMinute = {
  /** Counts `points` for `key`, by default 1; beyond the limit refuses with 429 and the time to wait. */
  count: (key: string, points?: number) => Promise<void>;
  /** Forgets `key`. */
  forget: (key: string) => void;
};

/** Allows each key `points` a minute; refuses more with `sentence`. */
export function perMinute(points: number, sentence: string): PerMinute {
  const limiter = new RateLimiterMemory({ points, duration: 60, keyPrefix: '' });
  return {
    async count(key, spending = 1) {
      const spent = await limiter.consume(key, spending).then(
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
