// The time series of a monitor (interface, section 2; figures of decisions, section 5).
import { sql } from 'kysely';
import type { SeriesRange } from '../domain/names.ts';
import { seriesWindow } from '../domain/series.ts';
import { notFound } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import type { Series } from './contract.ts';

type Monitor = { no: number; interval_seconds: number; regions: string[]; created_at: Date };
type Point = {
  bucket: number;
  slug: string;
  up: number;
  down: number;
  degraded: number;
  avg_ms: number | null;
  max_ms: number | null;
};
type Stats = {
  counted: number;
  good: number;
  reported: number;
  avg_ms: number | null;
  p95_ms: number | null;
};

/**
 * Points count every result of their bucket, per region; buckets are aligned and empty ones absent. The figures leave
 * out results inside maintenance and inside discarded downtimes, and results that say nothing of the target.
 */
export async function getSeries(
  db: Database,
  monitorId: string,
  range: SeriesRange,
  now: Date,
): Promise<Series> {
  const monitor = await db
    .selectFrom('monitors')
    .select(['no', 'interval_seconds', 'regions', 'created_at'])
    .where('id', '=', monitorId)
    .executeTakeFirst();
  if (!monitor) return notFound('monitor');
  const { fromUnix, toUnix, bucketSeconds } = seriesWindow(range, unix(now));
  const window = { from: new Date(fromUnix * 1000), to: now, bucketSeconds };
  const points = await readPoints(db, monitor.no, window);
  const stats = await readStats(db, monitor.no, window);
  return {
    range,
    from_unix: fromUnix,
    to_unix: toUnix,
    bucket_seconds: bucketSeconds,
    points: points.map((point) => ({
      bucket_unix: point.bucket,
      region: point.slug,
      up: point.up,
      down: point.down,
      degraded: point.degraded,
      avg_ms: point.avg_ms,
      max_ms: point.max_ms,
    })),
    stats: {
      checks: stats.counted,
      uptime_pct: stats.counted === 0 ? null : (stats.good / stats.counted) * 100,
      avg_ms: stats.avg_ms,
      p95_ms: stats.p95_ms,
      coverage_pct: coverage(monitor, stats.reported, window),
    },
  };
}

type Window = { from: Date; to: Date; bucketSeconds: number };

/** Results of the window that say something of the target. */
const inWindow = (no: number, { from, to }: Window) => sql`
  c.monitor_no = ${no} AND c.checked_at >= ${from} AND c.checked_at <= ${to} AND c.cause_layer IS DISTINCT FROM 'probe'`;

async function readPoints(db: Database, no: number, window: Window): Promise<Point[]> {
  const { rows } = await sql<Point>`
    SELECT b.bucket, r.slug, b.up, b.down, b.degraded, b.avg_ms, b.max_ms
    FROM (
      SELECT (floor(extract(epoch FROM c.checked_at) / ${window.bucketSeconds}) * ${window.bucketSeconds})::bigint AS bucket,
        c.region_no,
        count(*) FILTER (WHERE c.status = 0)::bigint AS up,
        count(*) FILTER (WHERE c.status = 2)::bigint AS down,
        count(*) FILTER (WHERE c.status = 1)::bigint AS degraded,
        round(avg(c.latency_ms) FILTER (WHERE c.status < 2))::int AS avg_ms,
        max(c.latency_ms) FILTER (WHERE c.status < 2) AS max_ms
      FROM checks c WHERE ${inWindow(no, window)}
      GROUP BY 1, 2
    ) b JOIN regions r ON r.no = b.region_no
    ORDER BY b.bucket, r.slug`.execute(db);
  return rows;
}

async function readStats(db: Database, no: number, window: Window): Promise<Stats> {
  const { rows } = await sql<Stats>`
    WITH discarded AS (
      SELECT started_at, resolved_at FROM incidents
      WHERE monitor_no = ${no} AND discarded AND started_at <= ${window.to} AND resolved_at >= ${window.from}
    ), seen AS (
      SELECT c.status, c.latency_ms, NOT c.in_maintenance AND NOT EXISTS (
        SELECT FROM discarded d WHERE c.checked_at >= d.started_at AND c.checked_at < d.resolved_at) AS counts
      FROM checks c WHERE ${inWindow(no, window)}
    )
    SELECT count(*) FILTER (WHERE counts)::bigint AS counted,
      count(*) FILTER (WHERE counts AND status < 2)::bigint AS good,
      count(*)::bigint AS reported,
      round(avg(latency_ms) FILTER (WHERE status < 2))::int AS avg_ms,
      round(percentile_disc(0.95) WITHIN GROUP (ORDER BY latency_ms) FILTER (WHERE status < 2))::int AS p95_ms
    FROM seen`.execute(db);
  return rows[0] ?? { counted: 0, good: 0, reported: 0, avg_ms: null, p95_ms: null };
}

/** Which share of the checks expected since the monitor exists reported at all, at its present interval; at most 100. */
function coverage(monitor: Monitor, reported: number, { from, to }: Window): number | null {
  const since = Math.max(from.getTime(), monitor.created_at.getTime());
  const expected =
    Math.floor((to.getTime() - since) / (monitor.interval_seconds * 1000)) * monitor.regions.length;
  return expected <= 0 ? null : Math.min(100, (reported / expected) * 100);
}
