// The partitions that checks go into.
import { DAY_MS } from '../domain/durations.ts';
import { makePartition } from '../platform/db/partitions.ts';
import type { Database } from '../platform/work.ts';
import { CHECKS } from '../retention.ts';

/** Makes sure that the partitions of these instants (ms) are there. */
export type EnsureDays = (instants: readonly number[]) => Promise<void>;

/**
 * For one process, which remembers what it has seen of late: older ones may have been dropped meanwhile. To be called
 * before the transaction that writes: that one must not hold a lock on the table.
 */
export function makeEnsureDays(db: Database): EnsureDays {
  const known = new Set<number>();
  let newest = 0;
  return async (instants) => {
    const days = new Set<number>();
    for (const ms of instants) days.add(Math.floor(ms / DAY_MS));
    newest = Math.max(newest, ...days);
    for (const day of days) {
      if (known.has(day) && day >= newest - 1) continue;
      await makePartition(db, CHECKS, new Date(day * DAY_MS));
      known.add(day);
    }
  };
}
