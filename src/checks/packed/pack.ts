// The recurring job that packs checks (docs/adr/0043-packed-checks.md): it merges what came late into its blocks, seals the
// next day, packs it and switches to its blocks, and empties partitions whose checks are packed. It uses short
// transactions, can resume anywhere, and packs in one process at a time.
import { sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '#src/domain/durations.ts';
import { makePartition } from '#src/platform/db/partitions.ts';
import { pgArray } from '#src/platform/db/pg-array.ts';
import { inTransaction } from '#src/platform/db/transaction.ts';
import type { Database, Tx } from '#src/platform/work.ts';
import { PACKED_CHECKS } from '#src/retention.ts';
import { isStillWritten, lockClosing } from '#src/series/closing-lock.ts';
import { countPacked } from '../metrics.ts';
import { emptyPacked } from './empty.ts';
import { mergeLate } from './merge.ts';
import { packDayOf } from './pack-day.ts';

export const PACK_TASK = 'pack_checks';

/** A day is sealed this long after its end. The trigger of late results looks at those older than 25 hours. */
const SEALED_AFTER_MS = 26 * HOUR_MS;
/** Transactions per run of the job; the next run continues. */
const MAX_PARTS = 250;
/** Checks per transaction, approximately. */
const PART_CHECKS = 10_000;
/** The most monitors per transaction, however few checks they have. */
const MAX_MONITORS = 500;

/** Packs everything due at `now`, up to MAX_PARTS transactions. Returns early if another process is doing it. */
export async function packChecks(db: Database, now: Date): Promise<void> {
  let parts = await mergeLate(db, MAX_PARTS);
  while (parts < MAX_PARTS) {
    const done = await packPart(db);
    if (done === 'busy') return;
    if (done === 'nothing' && !(await sealDay(db, now))) break;
    if (typeof done === 'number') countPacked(done);
    parts += 1;
  }
  await emptyPacked(db);
}

/**
 * Seals the next day that has a partition, once it has been over for long enough and is completely rolled up. Waits for current
 * writers of checks, but not for a long one (an import): then it seals nothing.
 */
async function sealDay(db: Database, now: Date): Promise<boolean> {
  const over = new Date(now.getTime() - SEALED_AFTER_MS);
  const next = sql<{ day: Date }>`
    SELECT n.day FROM packing_state s CROSS JOIN LATERAL (
      -- Compared as text: the planner may look at the names of other tables first.
      SELECT min(right(c.relname, 8))::date::timestamp AT TIME ZONE 'UTC' AS day
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'checks'::regclass AND right(c.relname, 8) >= to_char(s.sealed_until AT TIME ZONE 'UTC', 'YYYYMMDD')
    ) n
    WHERE s.packed_until = s.sealed_until AND s.begins_at <= ${now} AND n.day + interval '1 day' <= least(${over}::timestamptz,
        (SELECT rolled_until FROM rollup_state))
      AND NOT EXISTS (SELECT FROM rollup_dirty d WHERE d.since < n.day + interval '1 day' AND d.until > n.day)`;
  if ((await next.execute(db)).rows.length === 0) return false;
  const sealing = inTransaction(db, async (tx) => {
    await lockClosing(tx);
    const sealed = await sql`
      UPDATE packing_state SET sealed_until = n.day + interval '1 day', packed_until = n.day, packed_no = 0
      FROM (${next}) n`.execute(tx);
    return sealed.numAffectedRows === 1n;
  });
  return sealing.catch((error: unknown) => {
    if (isStillWritten(error)) return false;
    throw error;
  });
}

type State = { day: Date; packed_no: number; sealed: boolean };

/** Packs the next monitors of the sealed day, or switches to its blocks when none are left; returns the number of packed checks. */
async function packPart(db: Database): Promise<number | 'nothing' | 'busy'> {
  const { rows } = await sql<State>`
    SELECT packed_until AS day, packed_no, packed_until < sealed_until AS sealed FROM packing_state`.execute(
    db,
  );
  const [seen] = rows;
  if (!seen?.sealed) return 'nothing';
  // Before the transaction: making a partition locks its table.
  await makePartition(db, PACKED_CHECKS, seen.day);
  return inTransaction(db, async (tx) => {
    const own = await sql<State>`
      SELECT packed_until AS day, packed_no, packed_until < sealed_until AS sealed FROM packing_state
      FOR UPDATE SKIP LOCKED`.execute(tx);
    const [state] = own.rows;
    // Another process packs, or was faster.
    if (state?.day.getTime() !== seen.day.getTime() || state.packed_no !== seen.packed_no) return 'busy';
    const { nos, last } = await nextMonitors(tx, state.packed_no);
    if (last === null) {
      await sql`UPDATE packing_state SET packed_until = packed_until + interval '1 day', packed_no = 0,
        settled_at = NULL`.execute(tx);
      return 0;
    }
    const until = new Date(state.day.getTime() + DAY_MS);
    const checks = await packDayOf(
      tx,
      state.day,
      sql`FROM checks c WHERE c.monitor_no = ANY(${pgArray(nos)}::int[]) AND c.checked_at >= ${state.day} AND c.checked_at < ${until}`,
    );
    await sql`UPDATE packing_state SET packed_no = ${last}`.execute(tx);
    return checks;
  });
}

/**
 * The next monitors with about PART_CHECKS checks a day in all, and the last number looked at; null: none are left. Their rows
 * are locked, so that a later deletion also deletes their blocks.
 */
async function nextMonitors(tx: Tx, after: number): Promise<{ nos: number[]; last: number | null }> {
  const { rows } = await sql<{ no: number; checks: number }>`
    SELECT no, greatest(1, cardinality(regions)) * (86400 / greatest(interval_seconds, 1)) AS checks FROM monitors
    WHERE no > ${after} ORDER BY no LIMIT ${MAX_MONITORS}`.execute(tx);
  let room = PART_CHECKS;
  const wanted: number[] = [];
  for (const { no, checks } of rows) {
    if (wanted.length > 0 && checks > room) break;
    wanted.push(no);
    room -= checks;
  }
  const { rows: locked } = await sql<{ no: number }>`
    SELECT no FROM monitors WHERE no = ANY(${pgArray(wanted)}::int[]) ORDER BY no FOR KEY SHARE`.execute(tx);
  return { nos: locked.map(({ no }) => no), last: wanted.at(-1) ?? null };
}
