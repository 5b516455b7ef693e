// How many live streams there may be: of one person or key, of an organization, and of the whole server.
import { refuse } from '../platform/refusals.ts';
import type { Credential } from './credentials.ts';

/** Of one person, or of one key. */
export const STREAMS_EACH = 20;
export const STREAMS_PER_ORGANIZATION = 50;
/** A stream that comes back too early would be refused again. */
const COME_BACK_SECONDS = 10;

export type Seat = { orgId: string; credential: Credential };

export type Seats = {
  /**
   * Takes a seat, or refuses with 429 `rate_limited`. While all of the server's are taken, an organization that has
   * fewer than another gets one of that one's: `giveUp` is called for the youngest seat of whoever has most.
   */
  take(orgId: string, credential: Credential): Seat;
  /** Once or more often. */
  leave(seat: Seat): void;
};

/** Seats for `most` streams at a time. */
export function makeSeats(most: number, giveUp: (seat: Seat) => void): Seats {
  const taken = new Map<string, Set<Seat>>();
  let total = 0;

  function leave(seat: Seat): void {
    const own = taken.get(seat.orgId);
    if (!own?.delete(seat)) return;
    total -= 1;
    if (own.size === 0) taken.delete(seat.orgId);
  }

  function makeRoom(ownCount: number): void {
    const [greediest] = [...taken.values()].sort((a, b) => b.size - a.size);
    const youngest = greediest && greediest.size > ownCount + 1 ? [...greediest].at(-1) : undefined;
    if (!youngest) tooMany('All live streams of this server are in use');
    leave(youngest);
    giveUp(youngest);
  }

  return {
    take(orgId, credential) {
      const own = taken.get(orgId) ?? new Set<Seat>();
      const ofOne = [...own].filter((seat) => seat.credential.id === credential.id).length;
      if (ofOne >= STREAMS_EACH) tooMany(`You have ${STREAMS_EACH} live streams open`);
      if (own.size >= STREAMS_PER_ORGANIZATION)
        tooMany(`Your organization has ${STREAMS_PER_ORGANIZATION} live streams open`);
      if (total >= most) makeRoom(own.size);
      const seat = { orgId, credential };
      own.add(seat);
      taken.set(orgId, own);
      total += 1;
      return seat;
    },
    leave,
  };
}

function tooMany(what: string): never {
  return refuse('rate_limited', `${what}; close one and try again.`, {
    retryAfterSeconds: COME_BACK_SECONDS,
  });
}
