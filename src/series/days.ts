// The partitions of checks, and of what belongs to them.
import { DAY_MS } from '../domain/durations.ts';
import { makePartition, type Partitioned } from '../platform/db/partitions.ts';
import type { Database } from '../platform/work.ts';
import { CHECKS } from '../retention.ts';

/** Creates the missing partitions for these instants (ms). */
export type EnsureDays = (instants: readonly number[]) => Promise<void>;

/**
 * Remembers recent partitions of this process; older ones may have been dropped meanwhile. Call it before the transaction
 * that writes: creating a partition locks the table.
 */
export function makeEnsureDays(db: Database, table: Partitioned = CHECKS): EnsureDays {
  const known = new Set<number>();
  let newest = 0;
  return async (instants) => {
    const days = new Set<number>();
    for (const ms of instants) days.add(Math.floor(ms / DAY_MS));
    newest = Math.max(newest, ...days);
    for (const day of days) {
      if (known.has(day) && day >= newest - 1) continue;
      await makePartition(db, table, new Date(day * DAY_MS));
      known.add(day);
    }
  };
}
