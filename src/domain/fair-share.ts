// Who gets the places that are free, so that nobody can take them from the others.
//
// Nobody may have more than a multiple of what is left free (dynamic thresholds, Choudhury and Hahne 1998). Whoever is
// alone gets most of the places; the more there are who want many, the less each has; and some are free at all times, so
// that one who comes new, with little to do, is never behind those who are there already, however long they stay.

/** Somebody who wants a place. `owner` and `host` are each held to their share. */
export type Contender = {
  owner: string;
  /** null: there is none, or only one. */
  host: string | null;
  /** 0 is the most urgent, and may use what is reserved. */
  urgency: number;
  /** Its places are held for long: it competes for a part of them only. */
  slow: boolean;
};

/** Places that are free. */
export type FreePlaces = {
  all: number;
  /** Of these for the slow ones, at most. */
  slow: number;
  /** Of these for the most urgent only. */
  reserved: number;
};

/** Places that are taken, by owner and by host. */
export type Taken = { owners: ReadonlyMap<string, number>; hosts: ReadonlyMap<string, number> };

/** The most that one may have for each place that is left. */
const SHARE = 1;
const SHARE_OF_URGENT = 2;

/** Whoever has so many has all they may have, however urgent. */
export const mostOf = (free: number): number => free * SHARE_OF_URGENT;

/**
 * The contenders that get a place now, in that order: the most urgent first, among them whoever has the least, then as
 * they stand.
 */
export function shareOut<T extends Contender>(contenders: readonly T[], free: FreePlaces, taken: Taken): T[] {
  const owners = new Map(taken.owners);
  const hosts = new Map(taken.hosts);
  const left = { ...free };
  const chosen: T[] = [];
  for (const each of inTurns(contenders, taken.owners)) {
    const urgent = each.urgency === 0;
    const places = Math.min(left.all, each.slow ? left.slow : left.all) - (urgent ? 0 : left.reserved);
    const most = places * (urgent ? SHARE_OF_URGENT : SHARE);
    const ofOwner = (owners.get(each.owner) ?? 0) + 1;
    const ofHost = each.host === null ? 0 : (hosts.get(each.host) ?? 0) + 1;
    if (places < 1 || ofOwner > most || ofHost > most) continue;
    owners.set(each.owner, ofOwner);
    if (each.host !== null) hosts.set(each.host, ofHost);
    left.all -= 1;
    if (each.slow) left.slow -= 1;
    chosen.push(each);
  }
  return chosen;
}

/** By urgency, and then one of each owner after the other, counting what they have already. */
function inTurns<T extends Contender>(contenders: readonly T[], taken: ReadonlyMap<string, number>): T[] {
  const counts = new Map<string, number>();
  const turns = contenders.map((each) => {
    const key = `${each.urgency} ${each.owner}`;
    const turn = (counts.get(key) ?? taken.get(each.owner) ?? 0) + 1;
    counts.set(key, turn);
    return { each, turn };
  });
  return turns.toSorted((a, b) => a.each.urgency - b.each.urgency || a.turn - b.turn).map(({ each }) => each);
}
