// The points of a series: one per bucket and region, over all its checks.
import { sql } from 'kysely';
import type { Database } from '../platform/work.ts';
import { bucketRows, checkRows, type Reading, type Segment } from './sources.ts';

export type Point = {
  bucket: number;
  slug: string;
  up: number;
  down: number;
  degraded: number;
  n: number;
  sum: number | null;
  most: number | null;
};

/** Points ordered by time, then region. Empty buckets are absent. */
export async function readPoints(
  db: Database,
  reading: Reading,
  segments: readonly Segment[],
  bucketSeconds: number,
): Promise<Point[]> {
  const columns = sql.raw('at, region_no, up, degraded, down, n, sum, most');
  const buckets = bucketRows(reading, segments);
  const stored = buckets === null ? sql`` : sql`SELECT ${columns} FROM (${buckets}) b UNION ALL`;
  const { rows } = await sql<Point>`
    SELECT extract(epoch FROM p.bucket)::bigint AS bucket, r.slug, p.up, p.down, p.degraded, p.n, p.sum, p.most
    FROM (
      SELECT date_bin(${sql.raw(`interval '${bucketSeconds} seconds'`)}, at, 'epoch') AS bucket, region_no, sum(up) AS up,
        sum(down) AS down, sum(degraded) AS degraded, coalesce(sum(n), 0) AS n, sum(sum) AS sum, max(most) AS most
      FROM (
        ${stored}
        SELECT at, region_no, (status = 0)::int AS up, (status = 1)::int AS degraded, (status = 2)::int AS down,
          (value IS NOT NULL)::int AS n, value AS sum, value AS most
        FROM (${checkRows(reading)}) c
      ) parts GROUP BY 1, 2 HAVING sum(up) + sum(degraded) + sum(down) > 0
    ) p JOIN regions r ON r.no = p.region_no
    ORDER BY p.bucket, r.slug`.execute(db);
  return rows;
}
