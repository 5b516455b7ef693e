// Slows guessing by the wrong tries that the database remembers, so that it is the same on every server.
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { clientBlock } from '../domain/client-block.ts';
import { DAY_MS, HOUR_MS } from '../domain/durations.ts';
import { CODES, type Failures, type GuessLimits, PASSWORDS, slowdown } from '../domain/sign-in-slowdown.ts';
import { advisoryLock } from '../platform/db/advisory-lock.ts';
import type { Log } from '../platform/log.ts';
import { Refusal } from '../platform/refusals.ts';
import { type Database, runWork, SYSTEM, type Tx } from '../platform/work.ts';

/** The secret that is guessed at. */
export type Guess = 'password' | 'code';

/** A try that was let through. It counts as wrong until proven right, so that concurrent tries do not slip by. */
export type SignInAttempt = {
  /** Whether the account has signed in from this address before. */
  known: boolean;
  /** The try was right: forgets earlier wrong ones of this account from this address. */
  right: () => Promise<void>;
  /** The try was no guess (a malformed request, say): forgets it. */
  void: () => Promise<void>;
};

export type SlowDown = {
  /** Lets a try through, or throws `rate_limited` with the wait. An account need not exist: it is treated the same. */
  enter: (guess: Guess, email: string, address: string) => Promise<SignInAttempt>;
  /** Notes that the account has signed in from an address; guessing from elsewhere does not slow it there. */
  knows: (email: string, address: string) => Promise<void>;
  /** Forgets an account's wrong tries, because its password has changed. */
  forgive: (email: string) => Promise<void>;
  /** Forgets everything about a deleted account. */
  forget: (email: string) => Promise<void>;
};

export type SlowDownOptions = {
  db: Database;
  clock: () => Date;
  log: Log;
  /** Key for hashing accounts, so that the table reveals no e-mail address. */
  key: Buffer;
  /** false: nothing waits (RATE_LIMITS=off). */
  enabled: boolean;
};

const LIMITS: Record<Guess, GuessLimits> = { password: PASSWORDS, code: CODES };
const LET_THROUGH: SignInAttempt = { known: false, right: async () => {}, void: async () => {} };

export function makeSlowDown({ db, clock, log, key, enabled }: SlowDownOptions): SlowDown {
  /** Codes are counted apart from passwords, under the same account. */
  const hashOf = (guess: Guess | 'account', email: string) =>
    createHmac('sha256', key).update(`${guess} ${email.trim().toLowerCase()}`).digest();
  async function forgive(email: string): Promise<void> {
    const hashes = [hashOf('password', email), hashOf('code', email)];
    await db.deleteFrom('sign_in_failures').where('account_hash', 'in', hashes).execute();
  }

  return {
    async enter(guess, email, from) {
      if (!enabled) return LET_THROUGH;
      const account = hashOf(guess, email);
      const address = clientBlock(from);
      const now = clock();
      const made = await runWork(db, now, SYSTEM, async ({ tx }) => {
        await lock(tx, address, account);
        const failures = await failuresOf(tx, { account, person: hashOf('account', email), address, now });
        const held = slowdown(failures, now.getTime(), LIMITS[guess]);
        if (held) return held;
        const row = await tx
          .insertInto('sign_in_failures')
          .values({ account_hash: account, address, at: now })
          .returning('no')
          .executeTakeFirstOrThrow();
        return { no: row.no, known: failures.known };
      });
      if ('why' in made) {
        const retryAfterSeconds = Math.ceil(made.waitMs / 1000);
        log.warn({ address: from, why: made.why, wait_seconds: retryAfterSeconds }, 'sign-in slowed down');
        const message = `Too many wrong tries. Try again in ${wording(retryAfterSeconds)}.`;
        throw new Refusal('rate_limited', message, { retryAfterSeconds, reason: 'too_many_tries' });
      }
      return {
        known: made.known,
        async right() {
          await db
            .deleteFrom('sign_in_failures')
            .where('account_hash', '=', account)
            .where('address', '=', address)
            .execute();
        },
        async void() {
          await db.deleteFrom('sign_in_failures').where('no', '=', made.no).execute();
        },
      };
    },

    async knows(email, from) {
      const row = { account_hash: hashOf('account', email), address: clientBlock(from), last_at: clock() };
      await db
        .insertInto('known_addresses')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['account_hash', 'address']).doUpdateSet({ last_at: row.last_at }),
        )
        .execute();
    },

    forgive,
    async forget(email) {
      await forgive(email);
      await db.deleteFrom('known_addresses').where('account_hash', '=', hashOf('account', email)).execute();
    },
  };
}

/** Locks the address, then the account: one try of each at a time, always in this order to avoid deadlocks. */
async function lock(tx: Tx, address: string, account: Buffer): Promise<void> {
  await advisoryLock(tx, `sign-in from ${address}`);
  await advisoryLock(tx, `sign-in to ${account.toString('hex')}`);
}

async function failuresOf(
  tx: Tx,
  given: { account: Buffer; person: Buffer; address: string; now: Date },
): Promise<Failures> {
  const { account, person, address, now } = given;
  const dayAgo = new Date(now.getTime() - DAY_MS);
  const hourAgo = new Date(now.getTime() - HOUR_MS);
  const { rows } = await sql<{
    of_pair: number;
    of_pair_at: Date | null;
    everywhere: number;
    strange_at: Date | null;
    accounts: number;
    address_at: Date | null;
    known: boolean;
  }>`
    WITH known AS (SELECT address FROM known_addresses WHERE account_hash = ${person})
    SELECT of_account.*, of_address.*, ${address} IN (SELECT address FROM known) AS known FROM
      (SELECT count(*) FILTER (WHERE address = ${address})::int AS of_pair,
              max(at) FILTER (WHERE address = ${address}) AS of_pair_at,
              count(*)::int AS everywhere,
              max(at) FILTER (WHERE address NOT IN (SELECT address FROM known)) AS strange_at
       FROM sign_in_failures WHERE account_hash = ${account} AND at > ${dayAgo}) of_account,
      (SELECT count(DISTINCT account_hash)::int AS accounts, max(at) AS address_at
       FROM sign_in_failures WHERE address = ${address} AND at > ${hourAgo}) of_address`.execute(tx);
  const row = rows[0]!;
  const ms = (at: Date | null) => at?.getTime() ?? null;
  return {
    pair: { count: row.of_pair, lastAtMs: ms(row.of_pair_at) },
    address: { accounts: row.accounts, lastAtMs: ms(row.address_at) },
    account: { count: row.everywhere, lastStrangeAtMs: ms(row.strange_at) },
    known: row.known,
  };
}

function wording(seconds: number): string {
  if (seconds === 1) return 'a second';
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

/** Wrong tries count for a day; known addresses for half a year after the last sign-in. */
export async function forgetOldTries(db: Database, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await db.deleteFrom('sign_in_failures').where('at', '<', before(1)).execute();
  await db.deleteFrom('known_addresses').where('last_at', '<', before(180)).execute();
}
