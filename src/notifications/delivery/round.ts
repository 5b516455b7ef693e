// A round of the delivery worker: records the outcomes of attempts and claims the next ones, in one transaction.
import { isPassing } from '#src/platform/db/away.ts';
import { pipelined } from '#src/platform/db/pipelined.ts';
import type { Log } from '#src/platform/log.ts';
import { bisectFailures, noteSetAside } from '#src/platform/set-aside.ts';
import { type Database, runWork, SYSTEM, type Work } from '#src/platform/work.ts';
import { claim, type FreeSlots } from './claim.ts';
import { deliveriesEnded, recordOutcomes, recordWithoutReactions } from './record-outcome.ts';
import type { Attempt, AttemptResult } from './send.ts';

export type RoundOptions = {
  db: Database;
  clock: () => Date;
  /** In [0, 1): spreads the pauses between attempts. */
  random: () => number;
  log: Log;
};

/** Records the outcomes and claims as many attempts as there is room for at the moment of the claim. */
export function recordAndClaim(
  { db, clock, random }: RoundOptions,
  results: readonly AttemptResult[],
  freeSlots: () => FreeSlots,
): Promise<Attempt[]> {
  const act = async (work: Work) => {
    const recordAll = () => record(work, results, random);
    if (results.every(isDelivered)) {
      // Successful deliveries leave the queue in the first statements, so the claim can follow at once.
      const [, claimed] = await pipelined(recordAll, () => claim(work, freeSlots()));
      return claimed;
    }
    // A failed delivery is put back only after its target has been read; its followers are not due before that.
    await recordAll();
    return claim(work, freeSlots());
  };
  // A crash may lose a lease; the delivery is then simply claimed again.
  return runWork(db, clock(), SYSTEM, act, { keepPlans: true, durable: results.length > 0 });
}

/**
 * Records results in parts after `err`, so that one that cannot be recorded does not block the others. Returns false if all
 * of them are left for later.
 */
export async function recordSeparately(
  { db, clock, random, log }: RoundOptions,
  results: readonly AttemptResult[],
  err: unknown,
): Promise<boolean> {
  if (results.length === 0 || isPassing(err)) return false;
  try {
    const apart = await bisectFailures(results, (some) =>
      runWork(db, clock(), SYSTEM, (work) => record(work, some, random)),
    );
    for (const { item, error } of apart) {
      noteSetAside(log, 'delivery', { delivery: item.attempt.deliveries[0]?.id }, error);
      await recordWithoutReactions(db, clock(), item, random()).catch((failure: unknown) =>
        log.error({ err: failure }, 'cannot record the outcome of a delivery; its lease will run out'),
      );
    }
    // If the claim was at fault, the next turn fails on its own, since it has nothing to record.
    return true;
  } catch {
    return false;
  }
}

async function record(work: Work, results: readonly AttemptResult[], random: () => number): Promise<void> {
  const ends = await recordOutcomes(work, results, random);
  if (ends.length > 0) await deliveriesEnded.run(work, ends);
}

const isDelivered = ({ result }: AttemptResult): boolean => result.outcome.kind === 'delivered';
