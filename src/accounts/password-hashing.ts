// Hashes of passwords: scrypt in the sign-in library's format, off the event loop and a bounded number at a time.
import { availableParallelism } from 'node:os';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { Refusal } from '../platform/refusals.ts';

/**
 * One hash takes a core for some 50 ms and 32 MiB of memory, on a thread that name look-ups and files need too: Node has
 * four of them.
 */
const AT_ONCE = Math.max(1, Math.min(availableParallelism(), 3));
/** Who would wait longer than a few seconds is told so instead. */
const MOST_WAITING = 64;

export type HashQueue = <T>(compute: () => Promise<T>) => Promise<T>;

/** Runs computations at most `atOnce` at a time, in order; throws `unavailable` (503) when too many wait already. */
export function makeHashQueue(atOnce = AT_ONCE, mostWaiting = MOST_WAITING): HashQueue {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (compute) => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting)
        throw new Refusal('unavailable', 'Too many people are signing in right now; try again shortly.', {
          retryAfterSeconds: 2,
        });
      // The turn is handed over by whoever ends: `running` stays as it is.
      await new Promise<void>((start) => waiting.push(start));
    } else running++;
    try {
      return await compute();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

const queue = makeHashQueue();

/** Hash of a password; takes its time, so do it before a unit of work. Throws `unavailable` when too many wait. */
export function passwordHash(password: string): Promise<string> {
  return queue(() => hashPassword(password));
}

/** Whether a password is the one of a hash. Throws `unavailable` when too many wait. */
export function passwordMatches(given: { hash: string; password: string }): Promise<boolean> {
  return queue(() => verifyPassword(given));
}
