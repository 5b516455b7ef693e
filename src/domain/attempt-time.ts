/** The longest that an attempt to reach somebody outside takes: a mail, a web push, a message to a target; in milliseconds. */
export const ATTEMPT_MS = 15_000;

/**
 * Whether a lease lasts until an attempt that begins now has ended. If it does not, because this machine was suspended, for
 * example, or waited for the database, another sender may make the same attempt.
 */
export const outlastsAttempt = (leasedUntil: Date, now: Date): boolean =>
  leasedUntil.getTime() - now.getTime() >= ATTEMPT_MS;
