import { MINUTE_MS } from './durations.ts';

// The wait before the next try to sign in, so that guessing is slow and nobody can lock somebody else out
// (docs/rules/limits.md#wrong-tries).

/** Wrong attempts per account and address without a wait; each further one doubles the wait. */
const FREE_TRIES = 5;
const LONGEST_WAIT_MS = 15 * MINUTE_MS;
/** How many accounts may fail from one address within an hour before strangers to it are slowed: an office of people. */
const ACCOUNTS_OF_ADDRESS = 20;
const STRANGE_PACE_MS = MINUTE_MS;

/** How much guessing an account allows before addresses it never signed in from are slowed. */
export type GuessLimits = {
  /** Wrong tries within a day, over all addresses. */
  ofAccount: number;
  /** Whether all strange addresses share one try a minute, or each has its own. */
  strangersTogether: boolean;
};

/** At most a hundred guesses at a password a day before strange addresses wait (NIST SP 800-63B, 5.2.2). */
export const PASSWORDS: GuessLimits = { ofAccount: 100, strangersTogether: false };
/** Six digits: a person who guesses them already knows the password, and may use any number of addresses. */
export const CODES: GuessLimits = { ofAccount: 20, strangersTogether: true };

/** Failed tries before one moment. Times in Unix milliseconds; null if there was none. */
export type Failures = {
  /** Of this account from this address since its last success there, within a day. */
  pair: { count: number; lastAtMs: number | null };
  /** From this address, within an hour. */
  address: { accounts: number; lastAtMs: number | null };
  /** Of this account, over all addresses, within a day; the last from an address it never signed in from. */
  account: { count: number; lastStrangeAtMs: number | null };
  /** Whether the account has signed in from this address before. */
  known: boolean;
};

/** The rule that delays a try. */
export type SlowdownReason = 'pair' | 'address' | 'account';
export type Slowdown = { waitMs: number; why: SlowdownReason };

/**
 * How long a try must still wait, and for which reason; null: it may be made now. Each of the three rules has its own wait
 * and the longest counts. From an address that the account knows, only its own failures there count.
 */
export function slowdown(failures: Failures, nowMs: number, limits: GuessLimits): Slowdown | null {
  const { pair, address, account, known } = failures;
  const held: Slowdown[] = [];
  const hold = (why: SlowdownReason, lastAtMs: number | null, pauseMs: number) => {
    if (lastAtMs === null) return;
    const waitMs = Math.min(lastAtMs + pauseMs - nowMs, pauseMs);
    if (waitMs > 0) held.push({ waitMs, why });
  };
  if (pair.count >= FREE_TRIES) hold('pair', pair.lastAtMs, pauseAfter(pair.count));
  if (!known && address.accounts > ACCOUNTS_OF_ADDRESS) hold('address', address.lastAtMs, STRANGE_PACE_MS);
  if (!known && account.count >= limits.ofAccount)
    hold('account', limits.strangersTogether ? account.lastStrangeAtMs : pair.lastAtMs, STRANGE_PACE_MS);
  return held.toSorted((a, b) => b.waitMs - a.waitMs)[0] ?? null;
}

/** 1 s after the fifth failure, doubling up to 15 minutes. */
function pauseAfter(count: number): number {
  return Math.min(1000 * 2 ** Math.min(count - FREE_TRIES, 30), LONGEST_WAIT_MS);
}
