// The hot path: a batch of results becomes rows, and, only where something is not passing, a decision. One
// transaction, answered after its commit (decisions, sections 5 and 9).
import { sql } from 'kysely';
import { Type } from 'typebox';
import { makePartition } from '../platform/db/partitions.ts';
import { problemOf } from '../platform/http/validate.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import { CHECKS } from '../retention.ts';
import { evaluateResults, lockNotable } from './evaluate.ts';
import { Result, type ResultsReply } from './probe-contract.ts';
import { type Numbered, storeResults } from './store.ts';

const DAY_MS = 86_400_000;
/** Further in the server's future than this is refused item by item (decisions, section 9). */
const FUTURE_MS = 60_000;

const Results = Type.Array(Result);

export type Ingest = (
  probe: { regionNo: number; regionSlug: string },
  results: readonly unknown[],
  run: RunWork,
  now: Date,
) => Promise<ResultsReply>;
type RunWork = <T>(act: (work: Work) => Promise<T>) => Promise<T>;

/** Makes the ingest of one process. It remembers only what never changes: numbers of ids, partitions that exist. */
export function makeIngest(db: Database): Ingest {
  const numbers = new Map<string, number>();
  const days = new Set<number>();

  /** Partitions of the days in this batch, made before the transaction: it must not hold a lock on the table. */
  async function ensureDays(results: readonly Result[]): Promise<void> {
    for (const { checked_at_ms } of results) {
      const day = Math.floor(checked_at_ms / DAY_MS);
      if (days.has(day)) continue;
      await makePartition(db, CHECKS, new Date(checked_at_ms));
      days.add(day);
    }
  }

  async function numbered(tx: Tx, results: readonly Result[]): Promise<Numbered[]> {
    const unknown = new Set<string>();
    for (const { monitor_id } of results) if (!numbers.has(monitor_id)) unknown.add(monitor_id);
    if (unknown.size > 0) {
      const { rows } = await sql<{ id: string; no: number }>`
        SELECT id, no FROM monitors WHERE id = ANY(${[...unknown]}::text[])`.execute(tx);
      for (const { id, no } of rows) numbers.set(id, no);
    }
    const known: Numbered[] = [];
    for (const result of results) {
      const no = numbers.get(result.monitor_id);
      if (no !== undefined) known.push({ no, result });
    }
    return known;
  }

  return async (probe, given, run, now) => {
    const { results, refused } = sift(given, now);
    await ensureDays(results);
    const stored = await run(async (work) => {
      const batch = await numbered(work.tx, results);
      if (batch.length === 0) return { known: 0, inserted: 0 };
      // Issued together, run in this order: a monitor that became uneasy before the rows were inserted is seen.
      const [counts, locked] = await Promise.all([
        storeResults(work.tx, probe.regionNo, batch),
        lockNotable(work, batch),
      ]);
      if (counts.inserted > 0)
        await evaluateResults(work, { no: probe.regionNo, slug: probe.regionSlug }, batch, locked);
      return counts;
    });
    return {
      accepted: stored.inserted,
      duplicates: stored.known - stored.inserted,
      ignored: results.length - stored.known,
      refused,
      server_time_ms: now.getTime(),
    };
  };
}

/** Splits a batch into what can be stored and what is refused item by item, with the reason. */
function sift(given: readonly unknown[], now: Date): { results: Result[]; refused: ResultsReply['refused'] } {
  const wellFormed = problemOf(Results, given) === null;
  const results: Result[] = [];
  const refused: ResultsReply['refused'] = [];
  const latest = now.getTime() + FUTURE_MS;
  const earliest = now.getTime() - (CHECKS.keepDays - 1) * DAY_MS;
  for (const [index, item] of given.entries()) {
    const problem = wellFormed ? null : problemOf(Result, item);
    if (problem !== null) {
      refused.push({ index, error: problem });
      continue;
    }
    const result = item as Result;
    if (result.checked_at_ms > latest)
      refused.push({ index, error: 'checked_at_ms is more than 60 s in the future.' });
    else if (result.checked_at_ms < earliest)
      refused.push({ index, error: 'checked_at_ms is older than results are kept.' });
    else results.push(result);
  }
  return { results, refused };
}
