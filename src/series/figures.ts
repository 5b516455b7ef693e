// The figures over the whole window of a series (docs/rules/figures.md#checks-passed). Each query leaves out the time of discarded
// incidents, so discarding and restoring take effect at once.
import { sql } from 'kysely';
import { type Bins, type CountedBin, percentileOfCounts } from '../domain/histogram.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Database } from '../platform/work.ts';
import { binOfSql, elementBin, elementCount } from './rollup-histogram.ts';
import { bucketRows, checkRows, NO_BUCKETS, type Reading, type Segment } from './sources.ts';

export type Figures = {
  /** Results outside maintenance and discarded downtimes, and how many of them were up or degraded. */
  counted: number;
  good: number;
  /** All results that say something about the target. */
  reported: number;
  /** Average of the measured value over all of them. */
  average: number | null;
  p95: number | null;
};

type Row = {
  buckets: number;
  counted: number;
  good: number;
  reported: number;
  n: number;
  sum: number | null;
  most: number | null;
  exact: number | null;
  bins: number[] | null;
  counts: number[] | null;
};

/** Reads the figures of a window. All are exact, except that p95 is exact only to a bin where buckets are used. */
export async function readFigures(
  db: Database,
  reading: Reading,
  segments: readonly Segment[],
): Promise<Figures> {
  const row = await readRow(db, reading, segments, segments.length > 0);
  const isBinned = row.buckets > 0;
  const { exact } = isBinned || segments.length === 0 ? row : await readRow(db, reading, segments, false);
  return {
    counted: row.counted,
    good: row.good,
    reported: row.reported,
    average: row.n === 0 ? null : (row.sum ?? 0) / row.n,
    p95: isBinned ? histogramP95(row, reading.measure.bins) : exact,
  };
}

/** Counts checks by bin, for a histogram with those of buckets; or as one, with their exact p95, for which they are sorted. */
async function readRow(
  db: Database,
  reading: Reading,
  segments: readonly Segment[],
  byBin: boolean,
): Promise<Row> {
  const element = sql`v`;
  const bin = byBin ? binOfSql(reading.measure.bins, sql`value`) : sql`NULL::int`;
  const exact = byBin ? sql`NULL::float8` : sql`percentile_disc(0.95) WITHIN GROUP (ORDER BY value)`;
  const { rows } = await sql<Row>`
    WITH discarded AS MATERIALIZED (
      SELECT id, started_at, resolved_at FROM incidents
      WHERE monitor_no = ${reading.no} AND discarded AND started_at <= ${reading.to} AND resolved_at > ${reading.from}
    ), stored AS MATERIALIZED (${bucketRows(reading, segments) ?? NO_BUCKETS}),
    fresh AS MATERIALIZED (
      SELECT ${bin} AS bin, count(*)::int AS reported, (count(*) FILTER (WHERE counts))::int AS counted,
        (count(*) FILTER (WHERE counts AND status < 2))::int AS good, count(value)::int AS n, sum(value) AS sum,
        max(value) AS most, ${exact} AS exact
      FROM (
        SELECT c.status, c.value, NOT c.in_maintenance AND NOT EXISTS (
          SELECT FROM discarded d WHERE c.at >= d.started_at AND c.at < d.resolved_at) AS counts
        FROM (${checkRows(reading)}) c
      ) c GROUP BY 1
    )
    SELECT s.buckets, s.counted - d.good - d.down + f.counted AS counted, s.good - d.good + f.good AS good,
      s.reported + f.reported AS reported, s.n + f.n AS n, coalesce(s.sum, 0) + coalesce(f.sum, 0) AS sum,
      greatest(s.most, f.most) AS most, f.exact, h.bins, h.counts
    FROM (
      SELECT count(*) AS buckets, coalesce(sum(up + degraded - quiet_good), 0) AS good,
        coalesce(sum(up + degraded - quiet_good + down - quiet_down), 0) AS counted,
        coalesce(sum(up + degraded + down), 0) AS reported, coalesce(sum(n), 0) AS n, sum(sum) AS sum, max(most) AS most
      FROM stored
    ) s, (
      SELECT coalesce(sum(reported), 0) AS reported, coalesce(sum(counted), 0) AS counted, coalesce(sum(good), 0) AS good,
        coalesce(sum(n), 0) AS n, sum(sum) AS sum, max(most) AS most, max(exact) AS exact
      FROM fresh
    ) f, (
      SELECT coalesce(sum(up + degraded), 0) AS good, coalesce(sum(down), 0) AS down FROM downtime_buckets b
      WHERE EXISTS (SELECT FROM discarded) AND EXISTS (SELECT FROM discarded d WHERE d.id = ANY(b.incident_ids))
        AND b.monitor_no = ${reading.no} AND b.bucket >= ${reading.from} AND b.bucket < ${reading.rolled}
        AND b.bucket <> ALL(ARRAY(SELECT to_timestamp(at) FROM unnest(${pgArray(reading.dirty)}::bigint[]) AS at))
    ) d, (
      SELECT array_agg(bin ORDER BY bin) AS bins, array_agg(n ORDER BY bin) AS counts FROM (
        SELECT bin, sum(n)::int AS n FROM (
          SELECT ${elementBin(element)} AS bin, ${elementCount(element)} * sign AS n FROM stored, unnest(histogram) AS v
          UNION ALL SELECT bin, n FROM fresh WHERE bin IS NOT NULL
        ) element GROUP BY bin HAVING sum(n) > 0
      ) merged
    ) h`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a statement of aggregates answers one row');
  return row;
}

const histogramP95 = (row: Row, of: Bins) =>
  percentileOfCounts(countedBins(row), 0.95, of, row.most ?? undefined);

/** Bins and their counts, as a statement answers them. */
export const countedBins = ({ bins, counts }: Pick<Row, 'bins' | 'counts'>): CountedBin[] =>
  (bins ?? []).map((bin, i) => [bin, counts?.[i] ?? 0]);
