// The rate limit of a ping token: a runaway loop must not fill the database.
import { type PerMinute, perMinute } from '../platform/http/per-minute.ts';

/** Enough for a start and an end every second, the shortest period. */
export const PINGS_PER_MINUTE = 150;

/** No limit. */
export const unlimited: PerMinute = { count: async () => {}, forget: () => {} };

/** Counts by token. Forget unknown tokens: a caller can make up any number of them. */
export const makePingLimit = (): PerMinute =>
  perMinute(
    PINGS_PER_MINUTE,
    `A heartbeat accepts ${PINGS_PER_MINUTE} pings a minute; this one was not counted.`,
  );
