// How often one token may be pinged: a loop gone wild must not fill the database.
import { type PerMinute, perMinute } from '../platform/http/per-minute.ts';

/** Enough for a start and an end every second, which is the shortest period there is. */
export const PINGS_PER_MINUTE = 150;

/** Where nothing is limited. */
export const unlimited: PerMinute = { count: async () => {}, forget: () => {} };

/** Counts by token. Forget a token that nobody has: how many there are is the caller's choice. */
export const makePingLimit = (): PerMinute =>
  perMinute(
    PINGS_PER_MINUTE,
    `A heartbeat takes ${PINGS_PER_MINUTE} pings a minute; this one was not counted.`,
  );
