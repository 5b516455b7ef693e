// Decides whose password is hashed next: known people before strangers, and nobody ahead of all others for long.
import { Refusal } from '../platform/refusals.ts';

/** The party that a hash is computed for: a known person, the system, or a stranger by their address block. */
export type HashedFor = { who: string; known: boolean };

export type HashQueue = <T>(hashedFor: HashedFor, compute: () => Promise<T>) => Promise<T>;

/** Waiting strangers get one turn in this many, however many known people come. */
const STRANGERS_TURN = 4;

/**
 * Runs computations at most `atOnce` at a time. Known people go first; among them, and among strangers, everybody has
 * one turn before anybody has a second.
 * When `maxWaiting` wait, a newcomer replaces the one with most waiting: a known person replaces any stranger, otherwise
 * one of the same kind who has more. The one without a place gets `unavailable` (503).
 */
export function makeHashQueue(atOnce: number, maxWaiting: number): HashQueue {
  const known = new Line();
  const strangers = new Line();
  let running = 0;
  let turns = 0;

  const hasRoom = ({ who, known: isKnown }: HashedFor): boolean => {
    if (known.waiting + strangers.waiting < maxWaiting) return true;
    if (isKnown && strangers.giveUpOne(1)) return true;
    // Only of one that still has as many as the newcomer afterwards.
    const own = isKnown ? known : strangers;
    return own.giveUpOne(own.waitingOf(who) + 2);
  };

  const next = () => {
    while (running < atOnce) {
      if (strangers.waiting > 0) turns += 1;
      const strangersFirst = turns % STRANGERS_TURN === 0;
      const order = strangersFirst ? [strangers, known] : [known, strangers];
      if (!order.some((line) => line.startOne())) return;
      running += 1;
    }
  };

  return (hashedFor, compute) =>
    new Promise((resolve, reject) => {
      const refuse = () =>
        reject(
          new Refusal('unavailable', 'Too many people are signing in right now; try again shortly.', {
            retryAfterSeconds: 2,
          }),
        );
      if (!hasRoom(hashedFor)) return refuse();
      const start = (over: () => void) => {
        const settled = () => {
          over();
          running -= 1;
          next();
        };
        compute().finally(settled).then(resolve, reject);
      };
      (hashedFor.known ? known : strangers).join({ who: hashedFor.who, start, refuse });
      next();
    });
}

type Waiting = { who: string; start: (over: () => void) => void; refuse: () => void };
/** `round`: a second request of the same party goes into a later round. */
type Turn = Waiting & { round: number };

/**
 * The waiting of one kind, in rounds: each party has one turn a round, in order of arrival. Few wait, so each step looks at
 * all of them. Nothing is remembered once they are gone, however many addresses strangers use.
 */
class Line {
  #turns: Turn[] = [];
  readonly #running = new Set<Turn>();
  #round = 0;

  get waiting(): number {
    return this.#turns.length;
  }

  waitingOf(who: string): number {
    return this.#turns.filter((turn) => turn.who === who).length;
  }

  join(waiting: Waiting): void {
    const own = [...this.#running, ...this.#turns].filter(({ who }) => who === waiting.who);
    const round = Math.max(this.#round, ...own.map((turn) => turn.round + 1));
    this.#turns.push({ ...waiting, round });
  }

  /** Begins the next one; false where nobody waits. */
  startOne(): boolean {
    const [first, ...others] = this.#turns;
    if (first === undefined) return false;
    const next = others.reduce((least, turn) => (turn.round < least.round ? turn : least), first);
    this.#turns = this.#turns.filter((turn) => turn !== next);
    this.#round = next.round;
    this.#running.add(next);
    next.start(() => this.#running.delete(next));
    return true;
  }

  /** Refuses the newest request of the party with most waiting; false if nobody has so many. */
  giveUpOne(least: number): boolean {
    const counted = this.#turns.map((turn) => ({ turn, of: this.waitingOf(turn.who) }));
    const most = Math.max(0, ...counted.map(({ of }) => of));
    const last = counted.findLast(({ of }) => of === most)?.turn;
    if (last === undefined || most < least) return false;
    this.#turns = this.#turns.filter((turn) => turn !== last);
    last.refuse();
    return true;
  }
}
