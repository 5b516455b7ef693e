// The percentiles of a series: of all regions together, for each bucket in which something was measured. As with the figures of
// the whole window, what is read from checks alone is exact, and everything else exact to a bin.
import { sql } from 'kysely';
import { percentileOfCounts } from '../domain/histogram.ts';
import type { Database } from '../platform/work.ts';
import { countedBins } from './figures.ts';
import { binOfSql, elementBin, elementCount } from './rollup-histogram.ts';
import { bucketRows, checkRows, NO_BUCKETS, type Reading, type Segment } from './sources.ts';

export type Percentiles = {
  bucket: number;
  n: number;
  sum: number | null;
  p50: number | null;
  p95: number | null;
  p99: number | null;
};

type Row = {
  bucket: number;
  buckets: number;
  n: number;
  sum: number | null;
  most: number | null;
  exact: number[] | null;
  bins: number[] | null;
  counts: number[] | null;
};

const SHARES = [0.5, 0.95, 0.99] as const;

/** Percentiles ordered by time. Buckets in which nothing was measured are absent. */
export async function readPercentiles(
  db: Database,
  reading: Reading,
  segments: readonly Segment[],
  bucketSeconds: number,
): Promise<Percentiles[]> {
  const element = sql`v`;
  const bucket = sql`date_bin(${sql.raw(`interval '${bucketSeconds} seconds'`)}, at, 'epoch')`;
  const { rows } = await sql<Row>`
    WITH stored AS MATERIALIZED (${bucketRows(reading, segments) ?? NO_BUCKETS}),
    fresh AS MATERIALIZED (SELECT at, value FROM (${checkRows(reading)}) c WHERE value IS NOT NULL)
    SELECT extract(epoch FROM m.bucket)::bigint AS bucket, m.buckets, m.n, m.sum, m.most, f.exact, h.bins, h.counts
    FROM (
      SELECT bucket, count(*) FILTER (WHERE is_stored) AS buckets, coalesce(sum(n), 0) AS n, sum(sum) AS sum, max(most) AS most
      FROM (
        SELECT ${bucket} AS bucket, true AS is_stored, n, sum, most FROM stored
        UNION ALL SELECT ${bucket}, false, 1, value, value FROM fresh
      ) parts GROUP BY 1 HAVING coalesce(sum(n), 0) > 0
    ) m LEFT JOIN (
      SELECT ${bucket} AS bucket, percentile_disc(${SHARES.map(String)}::float8[]) WITHIN GROUP (ORDER BY value) AS exact
      FROM fresh GROUP BY 1
    ) f ON f.bucket = m.bucket LEFT JOIN (
      SELECT bucket, array_agg(bin ORDER BY bin) AS bins, array_agg(n ORDER BY bin) AS counts FROM (
        SELECT bucket, bin, sum(n)::int AS n FROM (
          SELECT ${bucket} AS bucket, ${elementBin(element)} AS bin, ${elementCount(element)} * sign AS n
          FROM stored, unnest(histogram) AS v
          UNION ALL SELECT ${bucket}, ${binOfSql(reading.measure.bins, sql`value`)}, 1 FROM fresh
        ) element GROUP BY 1, 2 HAVING sum(n) > 0
      ) merged GROUP BY 1
    ) h ON h.bucket = m.bucket
    ORDER BY m.bucket`.execute(db);
  return rows.map((row) => {
    const { bucket: at, n, sum, most } = row;
    const share = (i: number, q: number) =>
      row.buckets === 0
        ? (row.exact?.[i] ?? null)
        : percentileOfCounts(countedBins(row), q, reading.measure.bins, most ?? undefined);
    const [p50 = null, p95 = null, p99 = null] = SHARES.map((q, i) => share(i, q));
    return { bucket: at, n, sum, p50, p95, p99 };
  });
}
