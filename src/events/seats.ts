// Limits on live streams: per person or key, per organization, per owner, and for the whole server.
import type { Tenant } from '../platform/db/asker.ts';
import { refuse } from '../platform/refusals.ts';
import type { Credential } from './credentials.ts';

/** Per person or key. */
export const STREAMS_EACH = 20;
export const STREAMS_PER_ORGANIZATION = 50;
/** A stream that reconnects earlier would be refused again. */
const COME_BACK_SECONDS = 10;

/** Over all organizations of one owner. */
export const STREAMS_PER_OWNER = 200;

export type Seat = { tenant: Tenant; credential: Credential };

export type Seats = {
  /**
   * Takes a seat, or refuses with 429 `rate_limited`. When the server is full, a tenant gets a seat of the tenant with the
   * most: `giveUp` is called for that tenant's youngest seat.
   */
  take(tenant: Tenant, credential: Credential): Seat;
  /** Frees a seat; may be called more than once. */
  leave(seat: Seat): void;
};

/** Seats for `most` streams at a time. */
export function makeSeats(most: number, giveUp: (seat: Seat) => void): Seats {
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
    if (!spare) tooMany('All live streams of this server are in use');
    leave(spare);
    giveUp(spare);
  }

  return {
    take(tenant, credential) {
      const own = seatsByOwner.get(ownerOf(tenant)) ?? new Set<Seat>();
      const count = (same: (seat: Seat) => boolean) => [...own].filter(same).length;
      if (
        count((seat) => seat.credential.id === credential.id && seat.tenant.id === tenant.id) >= STREAMS_EACH
      )
        tooMany(`You have ${STREAMS_EACH} live streams open`);
      if (count((seat) => seat.tenant.id === tenant.id) >= STREAMS_PER_ORGANIZATION)
        tooMany(`Your organization has ${STREAMS_PER_ORGANIZATION} live streams open`);
      if (own.size >= STREAMS_PER_OWNER)
        tooMany(`Your organizations together have ${STREAMS_PER_OWNER} live streams open`);
      if (total >= most) makeRoom(tenant, own);
      const seat = { tenant, credential };
      own.add(seat);
      seatsByOwner.set(ownerOf(tenant), own);
      total += 1;
      return seat;
    },
    leave,
  };
}

/** The largest group; among equals the last one. */
const largest = (groups: Seat[][]): Seat[] =>
  groups.toReversed().toSorted((a, b) => b.length - a.length)[0] ?? [];
const byTenant = (seats: Seat[]): Seat[][] => [...Map.groupBy(seats, ({ tenant }) => tenant.id).values()];

function tooMany(what: string): never {
  return refuse('rate_limited', `${what}; close one and try again.`, {
    retryAfterSeconds: COME_BACK_SECONDS,
  });
}
