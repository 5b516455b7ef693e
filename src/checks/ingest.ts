// Stop 1 of 8 (docs/architecture.md#from-a-result-to-the-receiver). From `POST /probe/results`, by way of probe-routes.ts: a
// batch of results, not validated yet. It refuses what is malformed, too old or in the future, and stores the rest.
// Next, decide.ts: the monitors of the batch that need a decision, locked. A passing result of a steady monitor, one with
// nothing but passing results to remember, needs none: a batch of such results ends here after one statement.
import { sql } from 'kysely';
import { Type } from 'typebox';
import { FUTURE_MS } from '../domain/reporting.ts';
import { pipelined } from '../platform/db/pipelined.ts';
import { problemOf } from '../platform/http/validate.ts';
import type { Log } from '../platform/log.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import { Result, type ResultsReply } from '../probe-protocol/contract.ts';
import type { ResultRateLimit } from '../probe-protocol/result-rate-limit.ts';
import { makeEnsureDays } from '../series/days.ts';
import { oldestAcceptedMs } from '../series/raw-retention.ts';
import { decideBatch, lockMonitorsToDecide } from './decide.ts';
import { isolatingFailures, type RunWork } from './isolate-failures.ts';
import { announceOlder } from './older-results.ts';
import { type NumberedResult, type Region, type Stored, storeResults } from './store.ts';
import { touchStates } from './touch-states.ts';

/** The spool of every probe, its undelivered results on disk, reaches back this far: younger results need no query. */
const MIN_SPOOL_MS = 86_400_000;

/** Batches up to this size use cached plans. A cached plan looks rows up one by one; a larger batch is worth its own plan. */
const SMALL_BATCH = 200;

const Results = Type.Array(Result);

export type Ingest = (
  probe: { regionNo: number; regionSlug: string },
  /** As posted: not validated. */
  results: readonly unknown[],
  run: RunWork,
  now: Date,
) => Promise<ResultsReply>;

/** Makes the ingest of one process. It caches only what never changes: the number of a monitor id, the existing partitions. */
export function makeIngest(db: Database, rateLimit: Pick<ResultRateLimit, 'earliestMs'>, log: Log): Ingest {
  const numbers = new Map<string, number>();
  const ensureDays = makeEnsureDays(db);
  const processIsolated = isolatingFailures(processResults, log);

  // The watchdog starts what is missing (on-call/alarm/watchdog.ts).
  const onFollowFailed = (err: unknown) =>
    log.error({ err }, 'incidents opened, but their alarms could not be started; they are tried again');

  async function withMonitorNumbers(tx: Tx, results: readonly Result[]): Promise<NumberedResult[]> {
    const unknown = new Set<string>();
    for (const { monitor_id } of results) if (!numbers.has(monitor_id)) unknown.add(monitor_id);
    if (unknown.size > 0) {
      const { rows } = await sql<{ id: string; no: number }>`
        SELECT id, no FROM monitors WHERE id = ANY(${[...unknown]}::text[])`.execute(tx);
      for (const { id, no } of rows) numbers.set(id, no);
    }
    const known: NumberedResult[] = [];
    for (const result of results) {
      const no = numbers.get(result.monitor_id);
      if (no !== undefined) known.push({ no, result });
    }
    return known;
  }

  return async (probe, posted, run, now) => {
    const { results, refused } = await validateResults(db, posted, {
      now,
      // Usually a spool holds results as old as the server keeps; only that of a very busy probe does not.
      spoolStartMs: () => rateLimit.earliestMs(probe.regionNo, now),
    });
    await ensureDays(results.map((result) => result.checked_at_ms));
    const region = { no: probe.regionNo, slug: probe.regionSlug };
    const isSmall = results.length <= SMALL_BATCH;
    const runWithOptions: RunWork = (act) =>
      run(act, { keepPlans: isSmall, keepReady: isSmall, onFollowFailed });
    const stored = await processIsolated(
      region,
      (tx) => withMonitorNumbers(tx, results),
      runWithOptions,
      now,
    );
    for (const { result } of stored.lost)
      refused.push({ index: posted.indexOf(result), error: 'This result cannot be stored; see the log.' });
    return {
      accepted: stored.inserted,
      duplicates: stored.known - stored.inserted,
      ignored: results.length - stored.known - stored.lost.length,
      refused,
      server_time_ms: now.getTime(),
    };
  };
}

/**
 * Stores results of one region and decides those that need it, in one unit of work. Their partitions must exist
 * (`makeEnsureDays`); the probe is answered after the commit.
 */
async function processResults(work: Work, region: Region, batch: readonly NumberedResult[]): Promise<Stored> {
  if (batch.length === 0) return { known: 0, inserted: 0 };
  // In this order: another transaction may end a monitor's steady state before these rows are visible to it; this finds it.
  const [stored, locked] = await pipelined(
    () => storeResults(work.tx, region.no, batch),
    () => lockMonitorsToDecide(work, batch),
  );
  if (stored.inserted === 0) return stored;
  touchStates(work, batch);
  await announceOlder(work, batch);
  await decideBatch(work, region, batch, locked);
  return stored;
}

/** Splits a batch into results that can be stored and results that are refused one by one, with the reason. */
async function validateResults(
  db: Database,
  posted: readonly unknown[],
  { now, spoolStartMs }: { now: Date; spoolStartMs: () => Promise<number> },
): Promise<{ results: Result[]; refused: ResultsReply['refused'] }> {
  const wellFormed = problemOf(Results, posted) === null;
  const problems = posted.map((item) => (wellFormed ? null : problemOf(Result, item)));
  let oldest = Number.POSITIVE_INFINITY;
  for (const [index, item] of posted.entries())
    if (problems[index] === null) oldest = Math.min(oldest, (item as Result).checked_at_ms);
  const earliest = await oldestAcceptedMs(db, oldest, now);
  const spoolStart = oldest < now.getTime() - MIN_SPOOL_MS ? await spoolStartMs() : earliest;
  const latest = now.getTime() + FUTURE_MS;

  const results: Result[] = [];
  const refused: ResultsReply['refused'] = [];
  for (const [index, item] of posted.entries()) {
    const problem = problems[index] ?? null;
    const result = item as Result;
    if (problem !== null) refused.push({ index, error: problem });
    else if (result.checked_at_ms > latest)
      refused.push({ index, error: 'checked_at_ms is more than 60 s in the future.' });
    else if (result.checked_at_ms < earliest)
      refused.push({ index, error: 'checked_at_ms is older than results are kept.' });
    else if (result.checked_at_ms < spoolStart)
      refused.push({ index, error: 'checked_at_ms is older than what a probe can have kept.' });
    else results.push(result);
  }
  return { results, refused };
}
