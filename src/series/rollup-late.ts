// Rolls changed time up again, in rounds: each owner has a turn in a round, and each organization within its owner. Time
// without checks and buckets is skipped in one step.
import { sql } from 'kysely';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Database, Tx } from '../platform/work.ts';
import type { Changed } from './rollup-dropped.ts';
import type { Target } from './rollup-spans.ts';
import { SPAN_SECONDS, TIER_10M } from './rollup-tiers.ts';

/** Part of a monitor's changed time, in Unix seconds: [from, to). Its first check, or bucket, is at `first` or later. */
export type Piece = { no: number; from: number; first: number; to: number };

/** Spans of one round. */
const ROUND_SPANS = 5000;
/** The longest piece, in spans; with many owners a piece is their share of a round. */
const MAX_SPANS_PER_PIECE = 500;
/** Pieces per round, unless there are more owners: each then covers about a day of a monitor. */
const PIECES = 35;
const LENGTH = sql.raw(`interval '${SPAN_SECONDS} seconds'`);

/** The pieces of the next round before `rolled`, by time, so that one transaction touches few partitions. */
export async function nextRound(db: Database, rolled: number): Promise<Piece[]> {
  const { rows } = await sql<Piece>`
    WITH noted AS (
      SELECT d.monitor_no, d.since, least(d.until, to_timestamp(${rolled}::bigint)) AS until, m.org_id,
        coalesce(f.user_id, m.org_id) AS owner
      FROM rollup_dirty d LEFT JOIN monitors m ON m.no = d.monitor_no LEFT JOIN first_owners f ON f.org_id = m.org_id
      WHERE d.since < to_timestamp(${rolled}::bigint)
    ), share AS (
      SELECT greatest(1, least(${MAX_SPANS_PER_PIECE}::int,
        ${ROUND_SPANS}::int / greatest(1, least(count(*), greatest(count(DISTINCT owner), ${PIECES}::int)))))::int AS spans
      FROM noted
    ), of_organization AS (
      SELECT n.*, row_number() OVER (PARTITION BY org_id ORDER BY since, monitor_no) AS place FROM noted n
    ), of_owner AS (
      SELECT o.*, row_number() OVER (PARTITION BY owner ORDER BY place, random()) AS turn FROM of_organization o
    ), in_turn AS (
      SELECT o.*, s.spans, sum(least(s.spans, ceil(extract(epoch FROM o.until - o.since) / ${SPAN_SECONDS}::int)))
        OVER (ORDER BY turn, random() ROWS UNBOUNDED PRECEDING) AS sum
      FROM of_owner o, share s
    ), round AS MATERIALIZED (SELECT * FROM in_turn WHERE sum <= ${ROUND_SPANS}::int), known AS (
      SELECT t.*, CASE WHEN t.until - t.since <= t.spans * ${LENGTH} THEN t.since
        ELSE coalesce(date_bin(${LENGTH}, least((
          SELECT min(c.checked_at) FROM regions r CROSS JOIN LATERAL (
            SELECT c.checked_at FROM checks c WHERE c.monitor_no = t.monitor_no AND c.region_no = r.no
              AND c.checked_at >= t.since AND c.checked_at < t.until ORDER BY c.checked_at LIMIT 1) c
        ), (
          SELECT min(l.checked_at) FROM late_checks l
          WHERE l.monitor_no = t.monitor_no AND l.checked_at >= t.since AND l.checked_at < t.until
        ), (
          SELECT min(greatest(p.day, t.since)) FROM packed_checks p
          WHERE p.monitor_no = t.monitor_no AND p.day > t.since - interval '1 day' AND p.day < t.until
        ), (
          SELECT min(b.bucket) FROM ${sql.table(TIER_10M.table)} b
          WHERE b.monitor_no = t.monitor_no AND b.bucket >= t.since AND b.bucket < t.until
        )), 'epoch'), t.until) END AS first
      FROM round t
    )
    SELECT monitor_no AS no, extract(epoch FROM since)::bigint AS from, extract(epoch FROM first)::bigint AS first,
      extract(epoch FROM least(until, first + spans * ${LENGTH}))::bigint AS to
    FROM known ORDER BY first`.execute(db);
  return rows;
}

const column = (pieces: readonly Piece[], name: keyof Piece) => pgArray(pieces.map((p) => p[name]));

/**
 * Removes pieces from the recorded changes, and returns their time and its spans that have checks. Rows locked by another
 * writer stay: that writer is recording them again. Changes recorded after this statement stay too, even for the same spans.
 */
export async function takeRecordedChanges(
  tx: Tx,
  pieces: readonly Piece[],
): Promise<{ changed: Changed[]; spans: Target[] }> {
  const { rows: changed } = await sql<Changed>`
    WITH wanted AS (
      SELECT no AS monitor_no, range_agg(tstzrange(to_timestamp(since), to_timestamp(until))) AS times
      FROM unnest(${column(pieces, 'no')}::int[], ${column(pieces, 'from')}::bigint[], ${column(pieces, 'to')}::bigint[])
        AS given (no, since, until) GROUP BY 1
    ), locked AS MATERIALIZED (
      SELECT d.no, d.monitor_no, d.since, d.until FROM rollup_dirty d
      WHERE d.monitor_no = ANY(${column(pieces, 'no')}::int[]) FOR UPDATE SKIP LOCKED
    ), noted AS (
      SELECT monitor_no, range_agg(tstzrange(since, until)) AS times FROM locked GROUP BY 1
    ), gone AS (
      DELETE FROM rollup_dirty WHERE no IN (SELECT no FROM locked)
    ), left_over AS (
      INSERT INTO rollup_dirty (monitor_no, since, until)
      SELECT n.monitor_no, lower(t), upper(t) FROM noted n JOIN wanted w USING (monitor_no), unnest(n.times - w.times) AS t
    )
    SELECT n.monitor_no AS no, lower(t) AS since, upper(t) AS until
    FROM noted n JOIN wanted w USING (monitor_no), unnest(n.times * w.times) AS t`.execute(tx);
  if (changed.length === 0) return { changed, spans: [] };
  // A separate statement, so that it sees the checks of all changes recorded before the first.
  const { rows: spans } = await sql<Target>`
    SELECT DISTINCT t.no, extract(epoch FROM date_bin(${LENGTH}, c.checked_at, 'epoch'))::bigint AS at
    FROM unnest(${pgArray(changed.map(({ no }) => no))}::int[], ${changed.map(({ since }) => since)}::timestamptz[],
      ${changed.map(({ until }) => until)}::timestamptz[]) AS t (no, since, until)
    CROSS JOIN regions r CROSS JOIN LATERAL stored_instants(t.no, r.no, t.since, t.until) c`.execute(tx);
  return { changed, spans };
}

/** The two halves of a piece; null for a single span. */
export function splitInHalves(piece: Piece): [Piece, Piece] | null {
  const spans = (piece.to - piece.from) / SPAN_SECONDS;
  if (spans <= 1) return null;
  const middle = piece.from + Math.floor(spans / 2) * SPAN_SECONDS;
  return [
    { ...piece, to: middle },
    { ...piece, from: middle },
  ];
}
