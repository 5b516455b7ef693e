// Hashes of passwords: scrypt in the sign-in library's format, off the event loop and a bounded number at a time.
import { availableParallelism } from 'node:os';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { currentAsker } from '../platform/db/asker.ts';
import { type HashedFor, makeHashQueue } from './hash-queue.ts';

/**
 * One hash takes a core for some 50 ms and 32 MiB of memory, on a thread that name look-ups and files need too: Node has
 * four of them.
 */
const AT_ONCE = Math.max(1, Math.min(availableParallelism() - 1, 3));
/** Most hashes that wait. A longer queue would take more than a few seconds, so further requests are refused. */
const MAX_WAITING = 64;

const queue = makeHashQueue(AT_ONCE, MAX_WAITING);

/** Hash of a password; takes its time, so do it before a unit of work. Throws `unavailable` when too many wait. */
export function passwordHash(password: string): Promise<string> {
  return queue(hashedFor(), () => hashPassword(password));
}

/** Whether a password is the one of a hash. Throws `unavailable` when too many wait. */
export function passwordMatches(given: { hash: string; password: string }): Promise<boolean> {
  return queue(hashedFor(), () => verifyPassword(given));
}

/** The person of the request, else a stranger at its address; the system outside of a request. */
function hashedFor(): HashedFor {
  const { person, address } = currentAsker();
  if (person !== undefined) return { who: `person ${person}`, known: true };
  if (address !== undefined) return { who: `address ${address}`, known: false };
  return { who: 'system', known: true };
}
