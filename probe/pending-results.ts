// Results that have not been posted yet, and when they are urgent.
import type { MAX_RESULTS_PER_POST, Result } from '../src/probe-protocol/contract.ts';

export type PendingResults = {
  /**
   * Adds one result. A passing one that can decide nothing waits up to a second for others. All other results are urgent:
   * the first of a monitor, all that did not pass, and the first passing ones after those, which may be a recovery.
   */
  add(result: Result): void;
  /** Takes as many as fit in one post. */
  take(): Result[];
  count(): number;
  /** Whether they must be posted now. */
  isUrgent(): boolean;
  /** These monitors are gone: forgets whether their results can change anything. */
  forget(monitorIds: readonly string[]): void;
  /** Ends the wait for others. */
  stop(): void;
};

/** Typed as the contract's own figure; importing its module would load the schema library into the probe. */
const MAX_PER_POST: typeof MAX_RESULTS_PER_POST = 5000;
/** How long a result that is not urgent waits for others. */
const BATCH_MS = 1_000;
/** More than most policies ask for (`recovery_consecutive`); beyond it a recovery may be seen a second later. */
const URGENT_PASSES = 10;

/** `onUrgent` is called when the results become urgent. */
export function makePendingResults(onUrgent: () => void): PendingResults {
  /** How many more passing results of a monitor are urgent. */
  const urgentPasses = new Map<string, number>();
  let results: Result[] = [];
  let urgent = false;
  let batching: NodeJS.Timeout | undefined;

  const endBatch = () => {
    clearTimeout(batching);
    batching = undefined;
  };
  const flush = () => {
    urgent = true;
    endBatch();
    onUrgent();
  };

  return {
    add(result) {
      const known = urgentPasses.get(result.monitor_id);
      const passed = result.status === 'up';
      urgentPasses.set(result.monitor_id, passed ? Math.max(0, (known ?? 0) - 1) : URGENT_PASSES);
      results.push(result);
      if (!passed || known !== 0 || results.length >= MAX_PER_POST) flush();
      else batching ??= setTimeout(flush, BATCH_MS);
    },
    take() {
      const batch = results.slice(0, MAX_PER_POST);
      results = results.slice(MAX_PER_POST);
      urgent = results.length > 0;
      if (!urgent) endBatch();
      return batch;
    },
    count: () => results.length,
    isUrgent: () => urgent,
    forget(monitorIds) {
      for (const id of monitorIds) urgentPasses.delete(id);
    },
    stop: endBatch,
  };
}
