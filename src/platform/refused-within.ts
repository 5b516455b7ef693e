// A refusal in the middle of a unit of work that goes on without the refused thing.
import { sql } from 'kysely';
import { Refusal } from './refusals.ts';
import type { Work } from './work.ts';

/** A refusal that came of a failed statement: the transaction is over, and nothing more can be tried in it. */
export class EndedByRefusal extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super('a refused statement ended the transaction', { cause: refusal });
    this.refusal = refusal;
  }
}

/**
 * Runs `act`; returns its refusal, or null. Throws EndedByRefusal if the transaction did not survive it, and any other error.
 * What `act` wrote before it refused stays written.
 */
export async function refusedWithin({ tx }: Work, act: () => Promise<void>): Promise<Refusal | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await sql`SELECT 1`.execute(tx).catch(() => {
      throw new EndedByRefusal(error);
    });
    return error;
  }
}
