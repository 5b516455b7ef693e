// Limits on live streams: per person or key, per organization and per owner over all servers, and for the whole server.
import type { Tenant } from '../platform/db/asker.ts';
import { refuse } from '../platform/refusals.ts';
import type { Credential } from './credentials.ts';
import type { StreamCount } from './streams-elsewhere.ts';

/** Per person or key. */
export const STREAMS_EACH = 20;
export const STREAMS_PER_ORGANIZATION = 50;
/** A stream that reconnects earlier would be refused again. */
const COME_BACK_SECONDS = 10;

/** Over all organizations of one owner. */
export const STREAMS_PER_OWNER = 200;
/** Whoever has less than this part of a limit is not announced to the other servers. */
const ANNOUNCED_FROM = 0.1;

export type Seat = { tenant: Tenant; credential: Credential };

export type Seats = {
  /**
   * Takes a seat, or refuses with 429 `rate_limited`. When the server is full, a tenant gets a seat of the tenant with the
   * most: `giveUp` is called for that tenant's youngest seat.
   */
  take(tenant: Tenant, credential: Credential): Seat;
  /** Whether a seat is still its holder's. */
  has(seat: Seat): boolean;
  /** Frees a seat; may be called more than once. */
  leave(seat: Seat): void;
  /** The counts to announce to the other servers. */
  counts(): StreamCount[];
};

const limitsOf = ({ tenant, credential }: Seat): [of: string, most: number][] => [
  [`${credential.id} ${tenant.id}`, STREAMS_EACH],
  [tenant.id, STREAMS_PER_ORGANIZATION],
  [`owner ${tenant.owner ?? tenant.id}`, STREAMS_PER_OWNER],
];

/** Seats for `most` streams at a time; `elsewhere`: how many the other servers have given. */
export function makeSeats(
  most: number,
  giveUp: (seat: Seat) => void,
  elsewhere: (of: string) => number = () => 0,
): Seats {
  const seatsByOwner = new Map<string, Set<Seat>>();
  let total = 0;

  const ownerOf = ({ id, owner }: Tenant) => owner ?? id;

  function leave(seat: Seat): void {
    const owner = ownerOf(seat.tenant);
    const own = seatsByOwner.get(owner);
    if (!own?.delete(seat)) return;
    total -= 1;
    if (own.size === 0) seatsByOwner.delete(owner);
  }

  /** The youngest seat of the largest holder with at least two more than `tenant`: another owner, else a sibling. */
  function spareFor(tenant: Tenant, own: ReadonlySet<Seat>): Seat | undefined {
    const most = largest([...seatsByOwner.values()].map((seats) => [...seats]));
    if (most.length > own.size + 1) return largest(byTenant(most)).at(-1);
    const siblings = byTenant([...own]);
    const mine = siblings.find(([seat]) => seat?.tenant.id === tenant.id)?.length ?? 0;
    const sibling = largest(siblings);
    return sibling.length > mine + 1 ? sibling.at(-1) : undefined;
  }

  function makeRoom(tenant: Tenant, own: ReadonlySet<Seat>): void {
    const spare = spareFor(tenant, own);
    if (!spare) refuseFull();
    leave(spare);
    giveUp(spare);
  }

  return {
    take(tenant, credential) {
      const own = seatsByOwner.get(ownerOf(tenant)) ?? new Set<Seat>();
      const seat = { tenant, credential };
      const counted = countsOf(own);
      const who = ['You have', 'Your organization has', 'Your organizations together have'];
      for (const [i, [of, limit]] of limitsOf(seat).entries())
        if ((counted.get(of) ?? 0) + elsewhere(of) >= limit) tooMany(`${who[i]} ${limit} live streams open`);
      if (total >= most) makeRoom(tenant, own);
      own.add(seat);
      seatsByOwner.set(ownerOf(tenant), own);
      total += 1;
      return seat;
    },
    has: (seat) => seatsByOwner.get(ownerOf(seat.tenant))?.has(seat) ?? false,
    leave,
    counts() {
      const seats = [...seatsByOwner.values()].flatMap((own) => [...own]);
      const limits = new Map(seats.flatMap(limitsOf));
      return [...countsOf(seats)].filter(
        ([of, streams]) => streams >= (limits.get(of) ?? 0) * ANNOUNCED_FROM,
      );
    },
  };
}

function countsOf(seats: Iterable<Seat>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const seat of seats) for (const [of] of limitsOf(seat)) counts.set(of, (counts.get(of) ?? 0) + 1);
  return counts;
}

/** The largest group; among equals the last one. */
const largest = (groups: Seat[][]): Seat[] =>
  groups.toReversed().toSorted((a, b) => b.length - a.length)[0] ?? [];
const byTenant = (seats: Seat[]): Seat[][] => [...Map.groupBy(seats, ({ tenant }) => tenant.id).values()];

/** Refuses a stream for which the server has no seat. */
export function refuseFull(): never {
  return tooMany('All live streams of this server are in use');
}

function tooMany(what: string): never {
  return refuse('rate_limited', `${what}; close one and try again.`, {
    retryAfterSeconds: COME_BACK_SECONDS,
  });
}
