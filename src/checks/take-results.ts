// The way of a result into the house: stored, and where it does not pass or its monitor is not calm, evaluated.
import type { Work } from '../platform/work.ts';
import { evaluateResults, lockNotable, type Region } from './evaluate.ts';
import { type Numbered, type Stored, storeResults } from './store.ts';

/**
 * Takes results of one region, or WITHOUT_REGION what a server or an agent found out by itself. Their partitions have to
 * be there (`makeEnsureDays`); whoever sent them is answered after the commit.
 */
export async function takeResults(work: Work, region: Region, batch: readonly Numbered[]): Promise<Stored> {
  if (batch.length === 0) return { known: 0, inserted: 0 };
  // Issued together, run in this order: a monitor that became uneasy before the rows were inserted is seen.
  const [stored, notable] = await Promise.all([
    storeResults(work.tx, region.no, batch),
    lockNotable(work, batch),
  ]);
  if (stored.inserted > 0) await evaluateResults(work, region, batch, notable);
  return stored;
}
