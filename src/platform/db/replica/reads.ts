// Chooses the database for reads that are only shown: the replica while it is recent enough and has every change that the
// reader may know of, otherwise the primary (docs/rules/command-line.md#reads-from-a-replica).
import { Counter } from 'prom-client';
import { registry } from '#src/platform/metrics.ts';
import { Refusal } from '#src/platform/refusals.ts';
import type { Database } from '#src/platform/work.ts';
import type { ReplicaProblem } from './identity.ts';

export type ReplicaState = 'in_use' | 'behind' | 'away' | ReplicaProblem;

export type Reads = {
  /**
   * Runs `act`, which only reads, on the replica or on the primary; after any failure on the replica it runs it again on the
   * primary. `ids`: the organization, and anything else that may just have changed, as `changed` names it.
   */
  read: <T>(ids: readonly string[], act: (db: Database) => Promise<T>) => Promise<T>;
  /** A change of an organization or a page was just committed; null: of any of them. */
  changed: (id: string | null) => void;
};

/** Reads everything from the one database. */
export const readsOf = (db: Database): Reads => ({
  read: (_ids, act) => act(db),
  changed: () => undefined,
});

/** This process's knowledge of the replica. */
export type Watched = {
  db: Database;
  state: () => ReplicaState;
  /** The replica has everything that was committed before this moment; null: unknown. */
  asOfMs: () => number | null;
  /** A connection to it was lost. */
  lost: (error: Error) => void;
};

/** Changes that are remembered one by one; beyond, everything counts as changed. */
const MAX_CHANGES = 10_000;

const reads = new Counter({
  name: 'tocsin_replica_reads_total',
  help: 'Reads that a replica may answer, by what came of them: replica, or why the primary answered',
  labelNames: ['outcome'],
  registers: [registry],
});

/** Reads from `replica` if it has all the changes that this process knows of. */
export function makeReads(primary: Database, replica: Watched, elapsedMs: () => number): Reads {
  const changedAtMs = new Map<string, number>();
  let allChangedAtMs = Number.NEGATIVE_INFINITY;

  function whyPrimary(ids: readonly string[]): string | null {
    const state = replica.state();
    if (state !== 'in_use') return state;
    const asOfMs = replica.asOfMs() ?? Number.NEGATIVE_INFINITY;
    const changed = ids.map((id) => changedAtMs.get(id) ?? Number.NEGATIVE_INFINITY);
    return Math.max(allChangedAtMs, ...changed) >= asOfMs ? 'just_changed' : null;
  }

  function forgetSeen(): void {
    const asOfMs = replica.asOfMs();
    if (asOfMs === null) return;
    for (const [id, atMs] of changedAtMs) {
      // In the order of the changes.
      if (atMs >= asOfMs) return;
      changedAtMs.delete(id);
    }
  }

  return {
    async read(ids, act) {
      let outcome = whyPrimary(ids);
      if (outcome === null)
        try {
          const read = await act(replica.db);
          reads.inc({ outcome: 'replica' });
          return read;
        } catch (error) {
          if (error instanceof Refusal && error.status === 429) throw error;
          if (isLost(error)) replica.lost(error as Error);
          // Whatever the failure, even a row that the replica does not have yet: the primary has the answer.
          outcome = 'failed';
        }
      reads.inc({ outcome });
      return act(primary);
    },
    changed(id) {
      forgetSeen();
      if (id === null || changedAtMs.size >= MAX_CHANGES) {
        allChangedAtMs = elapsedMs();
        changedAtMs.clear();
        return;
      }
      changedAtMs.delete(id);
      changedAtMs.set(id, elapsedMs());
    },
  };
}

/** Connection failures, and a server that shuts down or is still starting; not a cancelled statement. */
const LOST = /^(?:08\w{3}|57P0[1-4]|ECONN\w+|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND)$/;

function isLost(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return (
    LOST.test(code ?? '') ||
    /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(message ?? '')
  );
}
