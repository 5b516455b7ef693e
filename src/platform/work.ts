// A unit of work: `(tx, now, actor)`. Opened by the HTTP mount or a job, `now` frozen, committed once.
import { setImmediate } from 'node:timers/promises';
import type { CompiledQuery, Kysely } from 'kysely';
import { askingAsSystem } from './db/asker.ts';
import { isOutdated } from './db/preparing-client.ts';
import type { DB } from './db/tables.ts';
import { inTransaction, type TransactionOptions, type Tx } from './db/transaction.ts';

export type Database = Kysely<DB>;
export type { TransactionOptions, Tx };

/** The actor of a unit of work, as the activity log and timelines name them. */
export type Actor = {
  kind: 'user' | 'key' | 'agent' | 'system' | 'operator';
  id: string | null;
  name: string;
  /** The caller's network address, if there is one. */
  address: string | null;
};

/** The system itself: jobs, ingest. */
export const SYSTEM: Actor = { kind: 'system', id: null, name: 'Tocsin', address: null };

/**
 * Collects items during a unit of work and writes them once, at its end. Collectors are flushed by rank, so that the counters
 * they lock (one row per organization, one per region) are always locked in the same order.
 */
export type Collector<Item> = {
  name: string;
  rank: number;
  flush: (work: Work, items: Item[]) => Promise<void>;
};

export type WorkOptions = TransactionOptions & {
  /**
   * Part of the work may follow in a unit of its own (`follow`), because somebody waits for what the first one commits. Called
   * with the error if that part fails; the rest is committed.
   */
  onFollowFailed?: (error: unknown) => void;
  /** The instant of each part that follows: others may have changed things since the first one began. By default, its own. */
  clock?: () => Date;
};

export type Work = {
  tx: Tx;
  /** The instant of this unit of work: every time it writes is this one. */
  now: Date;
  actor: Actor;
  /** Filled through `defer`. */
  deferred: Map<Collector<never>, unknown[]>;
  /** Filled through `afterCommit`. */
  committed: Set<() => void>;
  /** Filled through `follow`; null: nothing may follow. */
  following: ((work: Work) => Promise<void>)[] | null;
  /** The tenant of the work, for actions after the commit. Statements of this unit of work go through `tx`. */
  db: Database;
};

/** Adds an item for a collector; it is written at the end of the unit of work, in the same transaction. */
export function defer<Item>(work: Work, collector: Collector<Item>, item: Item): void {
  const key = collector as unknown as Collector<never>;
  const items = work.deferred.get(key);
  if (items) items.push(item);
  else work.deferred.set(key, [item]);
}

/** Calls `act` once this unit of work is committed, and never if it is rolled back. An act registered twice is called once. */
export function afterCommit(work: Work, act: () => void): void {
  work.committed.add(act);
}

/** Whether part of this unit of work may follow in one of its own. */
export const canFollow = ({ following }: Work): boolean => following !== null;

/** Whether something follows already. */
export const isFollowed = ({ following }: Work): boolean => following !== null && following.length > 0;

/**
 * Runs `act` right behind the commit of this unit of work, in one of its own with the same actor and its own instant, before
 * whoever runs this one goes on. If the process dies in between, `act` never runs: something must find what it has left undone.
 */
export function follow(work: Work, act: (work: Work) => Promise<void>): void {
  if (work.following === null) throw new Error('nothing may follow this unit of work');
  work.following.push(act);
}

/**
 * Issues statements, in this order, whose answers nothing needs: the unit of work goes on, and its commit follows right behind
 * them. It fails if one of them fails. Statements, not promises: nothing can be issued after the commit.
 */
export function sendUnawaited({ tx }: Work, ...statements: readonly (Statement | null)[]): void {
  // The transaction knows of every error.
  for (const statement of statements)
    if (statement !== null) tx.executeQuery(statement.compile(tx)).catch(() => undefined);
}

/** A statement of `sql` or the query builder that is not executed yet. */
export type Statement = { compile: (tx: Tx) => CompiledQuery };

/** Flushes one collector at once, before rows that it must read are deleted. */
export async function flushNow<Item>(work: Work, collector: Collector<Item>): Promise<void> {
  const key = collector as unknown as Collector<never>;
  const items = work.deferred.get(key);
  work.deferred.delete(key);
  if (items) await collector.flush(work, items as Item[]);
}

/** By rank; an item that one flush adds to another collector follows in its turn. */
async function flushAll(work: Work): Promise<void> {
  for (;;) {
    const [next] = [...work.deferred.keys()].sort((a, b) => a.rank - b.rank);
    if (!next) return;
    await flushNow(work, next);
  }
}

const RETRIED = new Set(['40001', '40P01']);
const TRIES = 4;
/** A failed attempt finds one outdated statement. A unit of work runs several, and a newer Tocsin changes several tables. */
const OUTDATED = 30;

/**
 * Runs `act` as one unit of work: one transaction, one `now`, one commit. Retries it from the start after a deadlock, a
 * serialization failure, or a statement prepared before its table got a further column, so `act` must do nothing outside its
 * transaction.
 */
export async function runWork<T>(
  db: Database,
  now: Date,
  actor: Actor,
  act: (work: Work) => Promise<T>,
  { onFollowFailed, clock = () => now, ...options }: WorkOptions = {},
): Promise<T> {
  let conflicts = 0;
  let outdated = 0;
  for (;;) {
    const committed = new Set<() => void>();
    const following: Work['following'] = onFollowFailed ? [] : null;
    const run = async (tx: Tx) => {
      const work: Work = { tx, now, actor, deferred: new Map(), committed, following, db };
      const done = await act(work);
      await flushAll(work);
      return done;
    };
    let result: T;
    try {
      result = await inTransaction(db, run, options);
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (isOutdated(error) && ++outdated <= OUTDATED) continue;
      if (RETRIED.has(code) && ++conflicts < TRIES) continue;
      throw error;
    }
    // The workers that this wakes serve all tenants.
    askingAsSystem(() => {
      for (const act of committed) act();
    });
    if (following === null || following.length === 0) return result;
    // What the commit has woken goes first.
    await setImmediate();
    for (const act of following) await runWork(db, clock(), actor, act, options).catch(onFollowFailed);
    return result;
  }
}
