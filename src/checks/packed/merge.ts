// Merges results that arrived after their day was packed into its blocks.
import { sql } from 'kysely';
import { makePartition } from '#src/platform/db/partitions.ts';
import { pgArray } from '#src/platform/db/pg-array.ts';
import { inTransaction } from '#src/platform/db/transaction.ts';
import type { Database, Tx } from '#src/platform/work.ts';
import { PACKED_CHECKS } from '#src/retention.ts';
import { packDayOf } from './pack-day.ts';

/**
 * note_late_check() in the migrations holds it shared until its transaction ends, so that the check it looks for is not moved
 * meanwhile.
 */
const LATE_LOCK = 7_262_750;
/** Monitors per transaction, each with all of its regions. */
const BATCH = 5;

/** Merges late results of packed days, in at most `most` transactions; returns the number of transactions. */
export async function mergeLate(db: Database, most: number): Promise<number> {
  for (let parts = 0; parts < most; parts++) {
    const { rows } = await sql<{ day: Date }>`
      SELECT date_trunc('day', l.checked_at, 'UTC') AS day FROM late_checks l, packing_state s
      WHERE l.checked_at < s.packed_until LIMIT 1`.execute(db);
    const day = rows[0]?.day;
    if (!day) return parts;
    await makePartition(db, PACKED_CHECKS, day);
    if (!(await inTransaction(db, (tx) => mergeDay(tx, day)))) return parts;
  }
  return most;
}

/** Merges the late checks of some monitors on this day; false if results are coming late right now, or another process merges. */
async function mergeDay(tx: Tx, day: Date): Promise<boolean> {
  const { rows: locks } = await sql<{ mine: boolean }>`
    SELECT pg_try_advisory_xact_lock(${LATE_LOCK}) AS mine`.execute(tx);
  if (!locks[0]?.mine) return false;
  const ofDay = sql`l.checked_at >= ${day} AND l.checked_at < ${day}::timestamptz + interval '1 day'`;
  const { rows } = await sql<{ monitor_no: number }>`
    SELECT DISTINCT l.monitor_no FROM late_checks l WHERE ${ofDay} ORDER BY 1 LIMIT ${BATCH}`.execute(tx);
  const nos = pgArray(rows.map(({ monitor_no }) => monitor_no));
  // Locks the monitors against deletion until this commits; a deleted one is no longer there.
  await sql`SELECT FROM monitors WHERE no = ANY(${nos}::int[]) ORDER BY no FOR KEY SHARE`.execute(tx);
  const late = sql`late_checks l WHERE l.monitor_no = ANY(${nos}::int[]) AND ${ofDay}`;
  await packDayOf(
    tx,
    day,
    sql`FROM (SELECT DISTINCT l.monitor_no, l.region_no FROM ${late}) k
      JOIN monitors m ON m.no = k.monitor_no
      CROSS JOIN LATERAL stored_checks(k.monitor_no, k.region_no, ${day}, ${day}::timestamptz + interval '1 day') c`,
  );
  await sql`DELETE FROM ${late}`.execute(tx);
  return true;
}
