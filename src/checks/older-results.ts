// Results that arrive long after their check: they may be the newest of a monitor that is without data even so.
import { hook } from '../platform/hook.ts';
import type { Work } from '../platform/work.ts';
import type { NumberedResult } from './store.ts';

/** Shorter than any reporting window: a younger result lets its monitor report. */
const OLD_MS = 15_000;

/** When the newest old result of each of these monitors was checked (ms), by number. */
export const olderResultsStored = hook<ReadonlyMap<number, number>>();

/** Announces the old results of a batch, probe faults excepted. Most batches have none. */
export async function announceOlder(work: Work, batch: readonly NumberedResult[]): Promise<void> {
  const newest = new Map<number, number>();
  const before = work.now.getTime() - OLD_MS;
  for (const { no, result } of batch)
    if (result.cause_layer !== 'probe' && result.checked_at_ms < before)
      newest.set(no, Math.max(newest.get(no) ?? 0, result.checked_at_ms));
  if (newest.size > 0) await olderResultsStored.run(work, newest);
}
