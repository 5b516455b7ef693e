// How often one token may be pinged: a loop gone wild must not fill the database. Counted in this process's memory, like
// every other rate limit.
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { refuse } from '../platform/refusals.ts';

/** Enough for a start and an end every second, which is the shortest period there is. */
export const PINGS_PER_MINUTE = 150;

export type PingLimit = {
  /** Refuses with 429 what is too much. */
  count: (token: string) => Promise<void>;
  /** Of a token that nobody has nothing is kept: how many there are is the caller's choice. */
  forget: (token: string) => void;
};

export const unlimited: PingLimit = { count: async () => {}, forget: () => {} };

export function makePingLimit(): PingLimit {
  const limiter = new RateLimiterMemory({ points: PINGS_PER_MINUTE, duration: 60, keyPrefix: '' });
  return {
    async count(token) {
      const spent = await limiter.consume(token).then(
        () => null,
        (result: RateLimiterRes) => result,
      );
      if (spent !== null)
        refuse(
          'rate_limited',
          `A heartbeat takes ${PINGS_PER_MINUTE} pings a minute; this one was not counted.`,
          {
            retryAfterSeconds: Math.max(1, Math.ceil(spent.msBeforeNext / 1000)),
          },
        );
    },
    forget(token) {
      void limiter.delete(token);
    },
  };
}
