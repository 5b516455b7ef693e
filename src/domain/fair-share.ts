// Shares out free slots, so that nobody can take all of them.
//
// Nobody may have more than a multiple of what is left free (dynamic thresholds, Choudhury and Hahne 1998). A single
// contender gets most of the slots; the more contenders want many, the fewer each gets. Some slots are always free,
// so that a newcomer with little work never waits for the others, however long they take.

/** A contender for a slot. Its tenant, owner and host are each limited to their share. */
export type Contender = {
  tenant: string;
  /** All tenants of an owner together get the share of one; null: the tenant is its own owner. */
  owner: string | null;
  /** null: there is none, or only one. */
  host: string | null;
  /** 0 is the most urgent, and may use what is reserved. */
  urgency: number;
  /** It holds slots for long, so it competes only for a part of them. */
  slow: boolean;
};

/** Slots that are free. */
export type FreeSlots = {
  all: number;
  /** The most of these for slow contenders. */
  slow: number;
  /** Of these, reserved for the most urgent. */
  reserved: number;
};

/** Slots that are taken, by each of the three. */
export type InUse = Record<'tenants' | 'owners' | 'hosts', ReadonlyMap<string, number>>;

/** The most that one may have for each slot that is left. */
const SHARE = 1;
const SHARE_OF_URGENT = 2;

/** Nobody may have more than this, however urgent. */
export const maxUrgentSlots = (free: number): number => free * SHARE_OF_URGENT;

/**
 * The contenders that get a slot now, in order: the most urgent first, among them the one with the fewest slots, then
 * in the given order.
 */
export function allocateSlots<T extends Contender>(
  contenders: readonly T[],
  free: FreeSlots,
  inUse: InUse,
): T[] {
  const tenants = new Map(inUse.tenants);
  const owners = new Map(inUse.owners);
  const hosts = new Map(inUse.hosts);
  const left = { ...free };
  const chosen: T[] = [];
  for (const each of inTurns(contenders, inUse)) {
    const { tenant, owner, host } = each;
    const urgent = each.urgency === 0;
    const slots = Math.min(left.all, each.slow ? left.slow : left.all) - (urgent ? 0 : left.reserved);
    const share = urgent ? SHARE_OF_URGENT : SHARE;
    const most = slots * share;
    const own = tenants.get(tenant) ?? 0;
    // A tenant that has a slot leaves its owner's last one to a sibling.
    const leaves = own === 0 ? 0 : 1 + share;
    const ofOwner = owner === null ? 0 : (owners.get(owner) ?? 0) + 1 + leaves;
    const ofHost = host === null ? 0 : (hosts.get(host) ?? 0) + 1;
    if (slots < 1 || Math.max(own + 1, ofOwner, ofHost) > most) continue;
    tenants.set(tenant, own + 1);
    if (owner !== null) owners.set(owner, (owners.get(owner) ?? 0) + 1);
    if (host !== null) hosts.set(host, ofHost);
    left.all -= 1;
    if (each.slow) left.slow -= 1;
    chosen.push(each);
  }
  return chosen;
}

/** By urgency, and then one of each owner after the other, of these one of each tenant, counting what they have already. */
function inTurns<T extends Contender>(contenders: readonly T[], { tenants, owners }: InUse): T[] {
  const ofTenants = turnsOf(contenders, ({ tenant }) => tenant, tenants);
  return turnsOf(ofTenants, ({ tenant, owner }) => owner ?? tenant, new Map([...tenants, ...owners]));
}

/** In the order of their turns: the first ones of everybody, then the second ones. */
function turnsOf<T extends Contender>(
  contenders: readonly T[],
  whose: (contender: T) => string,
  inUse: ReadonlyMap<string, number>,
): T[] {
  const counts = new Map<string, number>();
  const turns = contenders.map((each) => {
    const key = `${each.urgency} ${whose(each)}`;
    const turn = (counts.get(key) ?? inUse.get(whose(each)) ?? 0) + 1;
    counts.set(key, turn);
    return { each, turn };
  });
  return turns.toSorted((a, b) => a.each.urgency - b.each.urgency || a.turn - b.turn).map(({ each }) => each);
}
