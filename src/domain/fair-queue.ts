import TinyQueue from 'tinyqueue';

export type FairQueueOptions = {
  /** How many may be served at a time, over all keys. */
  slots: number;
  /**
   * A key may take a slot only while it holds fewer than this factor f times the free slots. One greedy key gets f/(f + 1)
   * of all slots, n greedy keys get f/(n·f + 1) each, and one slot always stays free for a key that has none.
   */
  maxHeldPerFree: number;
};

/** An item that waits or holds a slot. */
export type Ticket<T> = { readonly key: string; readonly item: T };

type Entry<T> = Ticket<T> & { share: Share<T>; state: 'waits' | 'served' | 'over' };

/** The sort keys of both levels. */
type Rank = {
  waiting: number;
  held: number;
  /** Its cost so far, relative to the floor of its level. */
  spent: number;
  /** Turns of this number alone count. */
  turn: number;
  /** When it began to wait, or was served last: among equals the longest waiting is next. */
  since: number;
};
type Share<T> = Rank & { owner: Owner<T>; queue: Entry<T>[]; head: number };
/** A key without an owner is its own, `alone`. */
type Owner<T> = Rank & { name: string; alone: boolean; shares: Turns<Share<T>>; floor: number };

type Turn<S> = { of: S; turn: number; need: number; spent: number; since: number };
type Turns<S> = TinyQueue<Turn<S>>;

const SWEPT_FROM = 1024;

/**
 * Slots shared by max-min fairness over keys (tenants): the waiting key with the fewest slots goes next, among equals
 * the one with the lowest cost, then the one that has waited longest; within a key first come, first served. Slots are
 * never taken back, so some stay free for keys that hold none (`maxHeldPerFree`).
 *
 * Keys of one owner share what one key would get, by the same rule among themselves; and none of them takes the last
 * slot of its owner while it has one already, so that its siblings are never behind it either. All steps are O(log
 * keys).
 */
export class FairQueue<T> {
  readonly #slots: number;
  readonly #maxHeldPerFree: number;
  readonly #shares = new Map<string, Share<T>>();
  readonly #owners = new Map<string, Owner<T>>();
  readonly #turns: Turns<Owner<T>> = makeTurns();
  #held = 0;
  #waiting = 0;
  /** The minimum cost of the next key: a key that was idle accumulates no credit. */
  #floor = 0;
  #sweepAt = SWEPT_FROM;
  #now = 0;

  constructor({ slots, maxHeldPerFree }: FairQueueOptions) {
    this.#slots = slots;
    this.#maxHeldPerFree = maxHeldPerFree;
  }

  get held(): number {
    return this.#held;
  }

  get waiting(): number {
    return this.#waiting;
  }

  heldBy(key: string): number {
    return this.#shares.get(key)?.held ?? 0;
  }

  waitingOf(key: string): number {
    return this.#shares.get(key)?.waiting ?? 0;
  }

  isWaiting(ticket: Ticket<T>): boolean {
    return (ticket as Entry<T>).state === 'waits';
  }

  /** Puts an item at the end of its key's queue. A key belongs to the owner it came with until it is idle. */
  enqueue(key: string, item: T, owner: string | null = null): Ticket<T> {
    const share = this.#shareOf(key, owner);
    const entry: Entry<T> = { key, item, share, state: 'waits' };
    share.queue.push(entry);
    for (const each of [share, share.owner]) if (each.waiting === 0) each.since = ++this.#now;
    this.#count(share, { waiting: 1 });
    // Only the first waiting item of a key has a turn.
    if (share.waiting === 1) this.#queueUp(share);
    return entry;
  }

  /** Gives a slot to the next item; undefined if none may have one. */
  take(): Ticket<T> | undefined {
    const owner = first(this.#turns);
    // The first owner needs the least: if it may not take a slot, none may.
    if (!owner || this.#needOf(owner) >= this.#maxHeldPerFree * (this.#slots - this.#held)) return undefined;
    const share = first(owner.shares) as Share<T>;
    const entry = firstOf(share);
    entry.state = 'served';
    this.#count(share, { waiting: -1, held: 1 });
    share.spent = owner.floor = Math.max(share.spent, owner.floor);
    owner.spent = this.#floor = Math.max(owner.spent, this.#floor);
    share.since = owner.since = ++this.#now;
    this.#queueUp(share);
    return entry;
  }

  /** Gives its slot back; `cost` is its use of the shared resource, in any unit (1: all cost the same). */
  release(ticket: Ticket<T>, cost = 1): void {
    const entry = ticket as Entry<T>;
    if (entry.state !== 'served') return;
    const { share } = entry;
    entry.state = 'over';
    this.#count(share, { held: -1 });
    share.spent += cost;
    share.owner.spent += cost;
    this.#queueUp(share);
    this.#forgetWhenIdle();
  }

  /** Removes a waiting item; false if it does not wait. */
  cancel(ticket: Ticket<T>): boolean {
    const entry = ticket as Entry<T>;
    if (entry.state !== 'waits') return false;
    const { share } = entry;
    entry.state = 'over';
    this.#count(share, { waiting: -1 });
    if (share.waiting === 0) this.#queueUp(share);
    this.#forgetWhenIdle();
    return true;
  }

  #count(share: Share<T>, { waiting = 0, held = 0 }: { waiting?: number; held?: number }): void {
    for (const each of [share, share.owner]) {
      each.waiting += waiting;
      each.held += held;
    }
    this.#waiting += waiting;
    this.#held += held;
  }

  #shareOf(key: string, ownerName: string | null): Share<T> {
    const known = this.#shares.get(key);
    const name = ownerName === null ? `alone ${key}` : `owner ${ownerName}`;
    if (known && (known.owner.name === name || known.held + known.waiting > 0)) return known;
    if (this.#shares.size >= this.#sweepAt) this.#sweep();
    const owner = this.#owners.get(name) ?? {
      ...{ name, alone: ownerName === null, shares: makeTurns<Share<T>>(), floor: 0 },
      ...{ waiting: 0, held: 0, spent: this.#floor, turn: 0, since: 0 },
    };
    this.#owners.set(name, owner);
    const rank = { waiting: 0, held: 0, spent: owner.floor, turn: 0, since: 0 };
    const share = { owner, queue: [], head: 0, ...rank };
    this.#shares.set(key, share);
    return share;
  }

  /** Must be below the factor times the free slots before the next entry of this owner is served. */
  #needOf(owner: Owner<T>): number {
    const next = first(owner.shares);
    // It has one already, and must leave its owner another one that may be taken.
    const leaves = !owner.alone && next !== undefined && next.held > 0;
    return owner.held + (leaves ? 1 + this.#maxHeldPerFree : 0);
  }

  /** Both the key and its owner have another slot in the turns than before. */
  #queueUp(share: Share<T>): void {
    const { owner } = share;
    if (share.waiting === 0) clear(share);
    queueUp(owner.shares, share, share.held);
    queueUp(this.#turns, owner, this.#needOf(owner));
  }

  #forgetWhenIdle(): void {
    if (this.#held > 0 || this.#waiting > 0) return;
    this.#shares.clear();
    this.#owners.clear();
    this.#turns.data.length = 0;
    this.#turns.length = 0;
    this.#floor = 0;
  }

  /** Forgets keys that are idle and owe nothing. */
  #sweep(): void {
    for (const [key, { owner }] of this.#shares)
      if (owner.held === 0 && owner.waiting === 0 && owner.spent <= this.#floor) {
        this.#shares.delete(key);
        this.#owners.delete(owner.name);
      }
    this.#sweepAt = Math.max(SWEPT_FROM, 2 * this.#shares.size);
  }
}

const makeTurns = <S>(): Turns<S> =>
  new TinyQueue<Turn<S>>([], (a, b) => a.need - b.need || a.spent - b.spent || a.since - b.since);

/** The next turn; outdated turns are dropped. */
function first<S extends Rank>(turns: Turns<S>): S | undefined {
  for (let next = turns.peek(); next !== undefined; next = turns.peek()) {
    if (next.turn === next.of.turn && next.of.waiting > 0) return next.of;
    turns.pop();
  }
  return undefined;
}

function queueUp<S extends Rank>(turns: Turns<S>, of: S, need: number): void {
  of.turn += 1;
  if (of.waiting > 0) turns.push({ of, turn: of.turn, need, spent: of.spent, since: of.since });
}

function firstOf<T>(share: Share<T>): Entry<T> {
  for (;;) {
    const entry = share.queue[share.head] as Entry<T>;
    share.head += 1;
    if (share.head > 64 && share.head * 2 > share.queue.length) {
      share.queue = share.queue.slice(share.head);
      share.head = 0;
    }
    if (entry.state === 'waits') return entry;
  }
}

function clear<T>(share: Share<T>): void {
  share.queue = [];
  share.head = 0;
}
