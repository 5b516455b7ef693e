// The stored checks of one monitor, from blocks and rows, in the order in which they were made and never all at once.
import { sql } from 'kysely';
import { statusOfNo } from '../checks/store.ts';
import type { RegionResult } from '../domain/confirmation.ts';
import { DAY_MS } from '../domain/durations.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import type { Database } from '../platform/work.ts';

/** Checks that are held at a time. */
const AT_A_TIME = 5_000;
/** SQLSTATE of a statement that took too long. */
const CANCELED = '57014';

/** Checks of a monitor, by the numbers of monitor and regions. */
export type Of = { no: number; regionNos: readonly number[] };

export type Span = {
  fromMs: number;
  /** Included. */
  untilMs: number;
  /** Days (their first ms) that have checks, oldest first. */
  days: readonly number[];
  /** Nothing since the wanted beginning is left out. */
  complete: boolean;
};

type ReplayRange = { fromMs: number; untilMs: number; most: number };

/**
 * The newest days of the wanted time that have at most `most` checks together; the newest day in any case. Blocks say how
 * many checks they hold; rows are counted, and so is what came after its day was packed.
 */
export async function spanWithin(db: Database, of: Of, wanted: ReplayRange): Promise<Span> {
  const { fromMs, untilMs, most } = wanted;
  const { packedUntilMs, byDay } = await packedDays(db, of, wanted);
  const days: number[] = [];
  let left = most;
  for (let day = dayOf(untilMs); day + DAY_MS > fromMs; day -= DAY_MS) {
    const n = day < packedUntilMs ? (byDay.get(day) ?? 0) : await countRows(db, of, day, left);
    if (n > left && days.length > 0) return { fromMs: days[0] ?? fromMs, untilMs, days, complete: false };
    if (n > 0) days.unshift(day);
    left -= n;
  }
  return { fromMs, untilMs, days, complete: true };
}

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;
const instant = (ms: number) => sql`to_timestamp(${ms}::float8 / 1000)`;

async function packedDays(
  db: Database,
  { no, regionNos }: Of,
  { fromMs, untilMs }: ReplayRange,
): Promise<{ packedUntilMs: number; byDay: Map<number, number> }> {
  const nos = sql`${pgArray(regionNos)}::smallint[]`;
  const [first, last] = [instant(dayOf(fromMs)), instant(untilMs)];
  const { rows } = await sql<{ until_ms: number; day_ms: number | null; n: number }>`
    SELECT (extract(epoch FROM s.packed_until) * 1000)::bigint AS until_ms,
      (extract(epoch FROM b.day) * 1000)::bigint AS day_ms, coalesce(sum(b.n), 0)::bigint AS n
    FROM packing_state s LEFT JOIN LATERAL (
      SELECT p.day, p.checks AS n FROM packed_checks p
      WHERE p.monitor_no = ${no} AND p.region_no = ANY(${nos}) AND p.day < s.packed_until AND p.day >= ${first} AND p.day <= ${last}
      UNION ALL
      SELECT date_trunc('day', l.checked_at, 'UTC'), 1 FROM late_checks l
      WHERE l.monitor_no = ${no} AND l.region_no = ANY(${nos}) AND l.checked_at < s.packed_until AND l.checked_at >= ${first}
        AND l.checked_at <= ${last}
    ) b ON true
    GROUP BY s.packed_until, b.day`.execute(db);
  return {
    packedUntilMs: rows[0]?.until_ms ?? 0,
    byDay: new Map(rows.flatMap(({ day_ms, n }) => (day_ms === null ? [] : [[day_ms, n] as const]))),
  };
}

/** How many rows a day has; of more than `most` only that they are more. */
async function countRows(db: Database, { no, regionNos }: Of, day: number, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM (
      SELECT FROM checks WHERE monitor_no = ${no} AND region_no = ANY(${pgArray(regionNos)}::smallint[])
        AND checked_at >= ${instant(day)} AND checked_at < ${instant(day + DAY_MS)} LIMIT ${Math.max(0, most) + 1}
    ) c`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * Gives the checks of a span to `take`, some at a time, until it answers false; true: all of them were given. A day is read in
 * a transaction of its own, so that none lasts. Throws as soon as the signal is aborted.
 */
export async function readChecks(
  db: Database,
  of: Of,
  { fromMs, untilMs, days }: Span,
  signal: AbortSignal,
  take: (some: readonly RegionResult[]) => Promise<boolean>,
): Promise<boolean> {
  for (const day of days) {
    signal.throwIfAborted();
    const part = { fromMs: Math.max(day, fromMs), untilMs: Math.min(day + DAY_MS, untilMs + 1) };
    try {
      if (!(await readPart(db, of, part, signal, take))) return false;
    } catch (error) {
      // A day of so many checks that the database has no time for it.
      if ((error as { code?: string }).code === CANCELED) return false;
      throw error;
    }
  }
  return true;
}

type Row = { slug: string; at_ms: number; status: number; fault: boolean };

function readPart(
  db: Database,
  { no, regionNos }: Of,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
  signal: AbortSignal,
  take: (some: readonly RegionResult[]) => Promise<boolean>,
): Promise<boolean> {
  // A cursor takes no parameters.
  const at = (ms: number) => sql`${sql.lit(new Date(ms).toISOString())}::timestamptz`;
  return inTransaction(db, async (tx) => {
    await sql`DECLARE stored NO SCROLL CURSOR FOR
      SELECT r.slug, (extract(epoch FROM c.checked_at) * 1000)::bigint AS at_ms, c.status,
        coalesce(c.cause_layer = 'probe', false) AS fault
      FROM regions r CROSS JOIN LATERAL stored_results(${sql.lit(no)}, r.no, ${at(fromMs)}, ${at(untilMs)}) c
      WHERE r.no = ANY(${sql.lit(pgArray(regionNos))}::smallint[])
      ORDER BY c.checked_at, r.slug COLLATE "C"`.execute(tx);
    for (;;) {
      signal.throwIfAborted();
      const { rows } = await sql<Row>`FETCH ${sql.lit(AT_A_TIME)} FROM stored`.execute(tx);
      if (rows.length > 0 && !(await take(rows.map(resultOf)))) return false;
      if (rows.length < AT_A_TIME) return true;
    }
  });
}

const resultOf = ({ slug, at_ms, status, fault }: Row): RegionResult => ({
  region: slug,
  atMs: at_ms,
  status: statusOfNo(status),
  probeFault: fault,
});
