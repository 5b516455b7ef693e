// The recurring job that rolls checks up: it closes spans, rolls them up in order, and rolls changed ones up again. It uses
// short transactions, can resume anywhere, and runs in one process at a time.
import { sql } from 'kysely';
import { bucketStart } from '../domain/series.ts';
import { makePartition } from '../platform/db/partitions.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import type { Log } from '../platform/log.ts';
import { bisectFailures, noteSetAside } from '../platform/set-aside.ts';
import type { Database, Tx } from '../platform/work.ts';
import { isStillWritten, lockClosing } from './closing-lock.ts';
import { recountDropped } from './rollup-dropped.ts';
import { nextRound, type Piece, splitInHalves, takeRecordedChanges } from './rollup-late.ts';
import { rollSpans, rollTier, type Target } from './rollup-spans.ts';
import { ROLLED, SPAN_SECONDS, TIER_1H, TIER_10M, TIER_12H, type Tier } from './rollup-tiers.ts';
import { unpackFor } from './unpack.ts';

export const ROLL_UP_TASK = 'roll_up';

/** A span is closed this long after its end, so that results on their way are not late. */
const GRACE_SECONDS = 120;
/** Spans per run of the job; after a long stop the next run continues. */
const MAX_SPANS = 200;
/** Rounds of changed time (rollup-late.ts) per run. */
const MAX_ROUNDS = 20;
/** Monitors, or changed spans, per transaction. */
const BATCH = 500;
/** Held by the writer of buckets until the end of its transaction. Any fixed number. */
const WRITER_LOCK = 7_262_749;

/**
 * Rolls up everything due at `now`. Returns early if another process is doing it. A monitor whose span cannot be rolled up
 * goes without that bucket, and blocks no other.
 */
export async function rollUp(db: Database, now: Date, log: Log): Promise<void> {
  await closeSpans(db, bucketStart(now.getTime() / 1000 - GRACE_SECONDS, SPAN_SECONDS));
  for (let i = 0; i < MAX_SPANS; i++) if (!(await rollNext(db, log))) break;
  for (let i = 0; i < MAX_ROUNDS; i++) if (!(await rollLate(db, log))) break;
}

type State = { closed: number; rolled: number };

async function readState(db: Database | Tx): Promise<State> {
  const { rows } = await sql<State>`
    SELECT extract(epoch FROM closed_until)::bigint AS closed, extract(epoch FROM rolled_until)::bigint AS rolled
    FROM rollup_state`.execute(db);
  return rows[0] ?? { closed: 0, rolled: 0 };
}

/**
 * Closes the spans before `until`, after waiting for current writers of checks. Later results for a closed span are recorded
 * as changes. During a long write (an import) nothing is closed, and the job does not wait for it.
 */
async function closeSpans(db: Database, until: number): Promise<void> {
  const { closed } = await readState(db);
  if (until <= closed) return;
  await inTransaction(db, async (tx) => {
    await lockClosing(tx);
    await sql`UPDATE rollup_state SET closed_until = greatest(closed_until, to_timestamp(${until}::bigint))`.execute(
      tx,
    );
  }).catch((error: unknown) => {
    if (!isStillWritten(error)) throw error;
  });
}

/** Writes buckets under the writer lock; returns false, and does nothing, if another process holds it. */
async function asWriter(db: Database, act: (tx: Tx) => Promise<void>): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    // A separate statement, so that later ones see the previous writer's commit.
    const { rows } = await sql<{ mine: boolean }>`
      SELECT pg_try_advisory_xact_lock(${WRITER_LOCK}) AS mine`.execute(tx);
    if (!rows[0]?.mine) return false;
    await act(tx);
    return true;
  });
}

/** Waits for the writer of buckets, and locks others out until the end of the transaction. */
export async function lockBuckets(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${WRITER_LOCK})`.execute(tx);
}

/** Rolls up the next closed span of all monitors; false if there is none, or another process is doing it. */
async function rollNext(db: Database, log: Log): Promise<boolean> {
  const { closed, rolled } = await readState(db);
  if (rolled >= closed) return false;
  const until = await nextStop(db, rolled, closed);
  if (until - rolled === SPAN_SECONDS) {
    await makePartitions(db, [rolled]);
    let after = 0;
    for (;;) {
      const { rows } = await sql<{ no: number }>`
        SELECT no FROM monitors WHERE no > ${after} ORDER BY no LIMIT ${BATCH}`.execute(db);
      const targets = rows.map(({ no }) => ({ no, at: rolled }));
      if (targets.length === 0) break;
      const isMine = await writeApart(db, targets, log, async (tx, some) => {
        await rollSpans(tx, some, 'checks');
        await rollTiers(tx, some, until);
      });
      if (!isMine) return false;
      after = targets.at(-1)?.no ?? after;
    }
  }
  await sql`UPDATE rollup_state SET rolled_until = to_timestamp(${until}::bigint)
    WHERE rolled_until = to_timestamp(${rolled}::bigint)`.execute(db);
  return true;
}

/** The end of the span that starts at `rolled`, or of its day if that has no checks at all. */
async function nextStop(db: Database, rolled: number, closed: number): Promise<number> {
  const day = new Date(rolled * 1000);
  if (rolled % 86_400 === 0) {
    const name = `checks_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
    const { rows } = await sql<{ known: boolean }>`SELECT to_regclass(${name}) IS NOT NULL AS known`.execute(
      db,
    );
    if (!rows[0]?.known) return Math.min(rolled + 86_400, closed);
  }
  return rolled + SPAN_SECONDS;
}

/** Rolls a round of changed time up again; false if there is none, or another process is doing it. */
async function rollLate(db: Database, log: Log): Promise<boolean> {
  const { rolled } = await readState(db);
  const pieces = await nextRound(db, rolled);
  for (const some of together(pieces)) {
    await makePartitions(
      db,
      some.flatMap(({ from, to }) => monthsBetween(from, to)),
    );
    if (!(await rollPieces(db, some, log))) return false;
  }
  return pieces.length > 0;
}

/** Rolls pieces up. A piece that fails is halved; a span that fails is set aside. */
async function rollPieces(db: Database, pieces: readonly Piece[], log: Log): Promise<boolean> {
  let isMine = true;
  const failed = await bisectFailures(pieces, async (some) => {
    isMine &&= await asWriter(db, async (tx) => {
      const { changed, spans } = await takeRecordedChanges(tx, some);
      const source = await unpackFor(tx, spans);
      await rollSpans(tx, spans, source);
      const dropped = await recountDropped(tx, changed, spans);
      // Reads the state again: another process may have rolled up coarser buckets since.
      await rollTiers(tx, [...spans, ...dropped], (await readState(tx)).closed);
    });
  });
  for (const { item, error } of failed) {
    const parts = splitInHalves(item);
    if (parts) isMine &&= await rollPieces(db, parts, log);
    else {
      noteSetAside(log, 'roll_up_span', { monitor_no: item.no, at: item.from }, error);
      await inTransaction(db, (tx) => takeRecordedChanges(tx, [item]));
    }
  }
  return isMine;
}

/** Groups pieces into transactions. */
function together(pieces: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [];
  let room = 0;
  for (const piece of pieces) {
    const spans = (piece.to - piece.first) / SPAN_SECONDS;
    if (spans > room || groups.length === 0) {
      groups.push([]);
      room = BATCH;
    }
    groups.at(-1)?.push(piece);
    room -= spans;
  }
  return groups;
}

/** Writes the buckets of these together, and separately after a failure; a target that fails on its own is set aside. */
async function writeApart(
  db: Database,
  targets: readonly Target[],
  log: Log,
  act: (tx: Tx, some: readonly Target[]) => Promise<void>,
): Promise<boolean> {
  let isMine = true;
  const failed = await bisectFailures(targets, async (some) => {
    isMine &&= await asWriter(db, (tx) => act(tx, some));
  });
  for (const { item, error } of failed)
    noteSetAside(log, 'roll_up_span', { monitor_no: item.no, at: item.at }, error);
  return isMine;
}

/** Rolls up the coarser buckets around spans that end by `until`. */
async function rollTiers(tx: Tx, spans: readonly Target[], until: number): Promise<void> {
  await rollTier(tx, TIER_1H, TIER_10M, endedBy(TIER_1H, spans, until));
  await rollTier(tx, TIER_12H, TIER_1H, endedBy(TIER_12H, spans, until));
}

function endedBy({ seconds }: Tier, spans: readonly Target[], until: number): Target[] {
  const found = new Map<string, Target>();
  for (const { no, at } of spans) {
    const start = bucketStart(at, seconds);
    if (start + seconds <= until) found.set(`${no} ${start}`, { no, at: start });
  }
  return [...found.values()];
}

/** Creates partitions one by one, before the transaction: creating one locks its table. */
async function makePartitions(db: Database, seconds: readonly number[]): Promise<void> {
  const months = new Map(seconds.map((at) => [new Date(at * 1000).toISOString().slice(0, 7), at]));
  for (const at of months.values())
    for (const partitioned of ROLLED) await makePartition(db, partitioned, new Date(at * 1000));
}

/** A second of each month that [from, to) touches. */
function monthsBetween(from: number, to: number): number[] {
  const found = [to - 1];
  for (let at = from; at < to; at += 27 * 86_400) found.push(at);
  return found;
}
