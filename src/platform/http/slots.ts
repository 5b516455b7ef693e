// Work that is long and takes much: one piece of it at a time for everything one person owns, and so many on a server.
import { refuse } from '../refusals.ts';

export type Slots = {
  /** Holds a slot for `owner` until the answer is called; 429 `rate_limited` with `sentence` while none is free. */
  take: (owner: string, sentence: string) => () => void;
};

const RETRY_SECONDS = 10;

export function makeSlots(most: number): Slots {
  const held = new Set<string>();
  return {
    take(owner, sentence) {
      if (held.has(owner) || held.size >= most)
        refuse('rate_limited', sentence, { retryAfterSeconds: RETRY_SECONDS });
      held.add(owner);
      return () => void held.delete(owner);
    },
  };
}
