import { DAY_MS } from '#src/domain/durations.ts';
import { makePartition } from '#src/platform/db/partitions.ts';
import type { Database } from '#src/platform/work.ts';
import { CHECKS } from '#src/retention.ts';

/** Sweeps as if a server had been running the day before. */
export async function sweepAfterADay(db: Database, now: Date, sweep: () => Promise<void>): Promise<void> {
  await makePartition(db, CHECKS, new Date(now.getTime() - DAY_MS));
  await sweep();
}
