// How many replays run at a time: each reads up to a million checks, on the processor and the database that everybody shares.
import { refuse } from '../platform/refusals.ts';

/** The most replays of one organization at a time on this server. */
export const REPLAYS_AT_A_TIME = 2;
/** The most replays of all organizations at a time on this server. */
export const REPLAYS_OF_ALL = 6;

export type Slots = {
  /** Claims a slot, or refuses; the function that it answers frees it. */
  claim: (orgId: string) => () => void;
};

export function makeSlots(): Slots {
  const running = new Map<string, number>();
  let ofAll = 0;
  return {
    claim(orgId) {
      const own = running.get(orgId) ?? 0;
      if (own >= REPLAYS_AT_A_TIME)
        refuse(
          'rate_limited',
          `Your organization already has ${REPLAYS_AT_A_TIME} replays running; wait for one to finish.`,
          { retryAfterSeconds: 2 },
        );
      if (ofAll >= REPLAYS_OF_ALL)
        refuse('rate_limited', 'This server already runs as many replays as it can; wait a moment.', {
          retryAfterSeconds: 2,
        });
      running.set(orgId, own + 1);
      ofAll += 1;
      return () => {
        ofAll -= 1;
        const left = (running.get(orgId) ?? 1) - 1;
        if (left === 0) running.delete(orgId);
        else running.set(orgId, left);
      };
    },
  };
}
