import TinyQueue from 'tinyqueue';

export type FairQueueOptions = {
  /** How many may be served at a time, over all keys. */
  places: number;
  /**
   * A key may take a place while it holds fewer than `lent` times those that are free: alone it gets lent/(lent + 1) of
   * all, n greedy keys get lent/(n·lent + 1) each, and there is always a free one left for a key that has none.
   */
  lent: number;
};

/** One that waits or is served. */
export type Ticket<T> = { readonly key: string; readonly item: T };

type Entry<T> = Ticket<T> & { state: 'waits' | 'served' | 'over' };
type Share<T> = {
  queue: Entry<T>[];
  head: number;
  waiting: number;
  held: number;
  /** What it has cost so far, against `floor`. */
  spent: number;
  /** Turns of this number alone count. */
  turn: number;
};
type Turn<T> = { share: Share<T>; turn: number; held: number; spent: number };

const SWEPT_FROM = 1024;

/**
 * Places shared by max-min fairness over keys (tenants): of those that wait, the one goes next that holds the fewest places,
 * among equals the one that has cost the least; within a key first come, first served. Nothing is taken back from a key that
 * holds many, so that some places stay free for those that hold none (`lent`). All steps are O(log keys).
 */
export class FairQueue<T> {
  readonly #places: number;
  readonly #lent: number;
  readonly #shares = new Map<string, Share<T>>();
  readonly #turns = new TinyQueue<Turn<T>>([], (a, b) => a.held - b.held || a.spent - b.spent);
  #held = 0;
  #waiting = 0;
  /** What whoever is served next has cost at least: who was away saves nothing up. */
  #floor = 0;
  #sweepAt = SWEPT_FROM;

  constructor({ places, lent }: FairQueueOptions) {
    this.#places = places;
    this.#lent = lent;
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

  /** Puts an item at the end of its key's queue. */
  enqueue(key: string, item: T): Ticket<T> {
    const share = this.#shareOf(key);
    const entry: Entry<T> = { key, item, state: 'waits' };
    share.queue.push(entry);
    share.waiting += 1;
    this.#waiting += 1;
    if (share.waiting === 1) this.#queueUp(share);
    return entry;
  }

  /** Gives a place to whose turn it is; undefined where nobody waits that may have one. */
  take(): Ticket<T> | undefined {
    for (let next = this.#turns.peek(); next !== undefined; next = this.#turns.peek()) {
      const { share } = next;
      if (next.turn !== share.turn || share.waiting === 0) {
        this.#turns.pop();
        continue;
      }
      // It holds the fewest: where it may not, nobody may.
      if (share.held >= this.#lent * (this.#places - this.#held)) return undefined;
      const entry = firstOf(share);
      entry.state = 'served';
      share.waiting -= 1;
      share.held += 1;
      this.#waiting -= 1;
      this.#held += 1;
      share.spent = Math.max(share.spent, this.#floor);
      this.#floor = share.spent;
      this.#queueUp(share);
      return entry;
    }
    return undefined;
  }

  /** Gives its place back; `cost` is what it took of what is shared, in any unit (1: all cost the same). */
  release(ticket: Ticket<T>, cost = 1): void {
    const entry = ticket as Entry<T>;
    const share = this.#shares.get(entry.key);
    if (entry.state !== 'served' || share === undefined) return;
    entry.state = 'over';
    share.held -= 1;
    this.#held -= 1;
    share.spent += cost;
    this.#queueUp(share);
    this.#forgetWhenIdle();
  }

  /** It waits no more; false where it does not. */
  cancel(ticket: Ticket<T>): boolean {
    const entry = ticket as Entry<T>;
    const share = this.#shares.get(entry.key);
    if (entry.state !== 'waits' || share === undefined) return false;
    entry.state = 'over';
    share.waiting -= 1;
    this.#waiting -= 1;
    if (share.waiting === 0) clear(share);
    this.#forgetWhenIdle();
    return true;
  }

  #shareOf(key: string): Share<T> {
    const known = this.#shares.get(key);
    if (known) return known;
    if (this.#shares.size >= this.#sweepAt) this.#sweep();
    const share = { queue: [], head: 0, waiting: 0, held: 0, spent: this.#floor, turn: 0 };
    this.#shares.set(key, share);
    return share;
  }

  #queueUp(share: Share<T>): void {
    share.turn += 1;
    if (share.waiting === 0) clear(share);
    else this.#turns.push({ share, turn: share.turn, held: share.held, spent: share.spent });
  }

  #forgetWhenIdle(): void {
    if (this.#held > 0 || this.#waiting > 0) return;
    this.#shares.clear();
    this.#turns.data.length = 0;
    this.#turns.length = 0;
    this.#floor = 0;
  }

  /** Who is idle and owes nothing is like one that never came. */
  #sweep(): void {
    for (const [key, { held, waiting, spent }] of this.#shares)
      if (held === 0 && waiting === 0 && spent <= this.#floor) this.#shares.delete(key);
    this.#sweepAt = Math.max(SWEPT_FROM, 2 * this.#shares.size);
  }
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
