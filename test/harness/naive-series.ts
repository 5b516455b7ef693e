// A series computed from all checks directly: the reference for the real one, which is made of buckets.
import { sql } from 'kysely';
import type { SeriesRange } from '#src/domain/names.ts';
import { type SeriesWindow, seriesWindow } from '#src/domain/series.ts';
import type { Series } from '#src/series/contract.ts';
import type { TestApp } from './app.ts';

type Row = {
  at_ms: number;
  slug: string;
  status: number;
  value: number | null;
  quiet: boolean;
};
type Window = { from_ms: number; to_ms: number };
export type Value = 'latency_ms' | 'metric_value' | 'metric_value_2';

/** All but `p95_ms`, `coverage_pct` and `unit`; `p95` is the exact one. */
export type NaiveSeries = Pick<Series, 'from_unix' | 'to_unix' | 'points'> & {
  stats: Pick<Series['stats'], 'checks' | 'uptime_pct' | 'avg_ms'>;
  p95: number | null;
  /** Exact ones. */
  percentiles: NonNullable<Series['percentiles']>;
};

export async function naiveSeries(
  app: TestApp,
  monitorId: string,
  range: SeriesRange | SeriesWindow,
  value: Value = 'latency_ms',
): Promise<NaiveSeries> {
  return (await readSeries(app, monitorId, value))(range);
}

/** Reads all checks once; gives the series of any range of them. */
export async function readSeries(
  { db, clock }: TestApp,
  monitorId: string,
  value: Value = 'latency_ms',
): Promise<(range: SeriesRange | SeriesWindow) => NaiveSeries> {
  const { rows } = await sql<Row>`
    SELECT (extract(epoch FROM c.checked_at) * 1000)::bigint AS at_ms, r.slug, c.status,
      ${value === 'latency_ms' ? sql`CASE WHEN c.status < 2 THEN c.latency_ms END` : sql.ref(value)}::float8 AS value,
      EXISTS (SELECT FROM maintenance_monitors w WHERE w.monitor_no = m.no AND w.starts_at <= c.checked_at
        AND c.checked_at < w.ends_at) AS quiet
    FROM monitors m CROSS JOIN regions r CROSS JOIN LATERAL stored_checks(m.no, r.no, '-infinity', 'infinity') c
    WHERE m.id = ${monitorId} AND c.cause_layer IS DISTINCT FROM 'probe'
    ORDER BY c.checked_at, r.slug`.execute(db);
  const { rows: discarded } = await sql<Window>`
    SELECT (extract(epoch FROM started_at) * 1000)::bigint AS from_ms, (extract(epoch FROM resolved_at) * 1000)::bigint AS to_ms
    FROM incidents WHERE monitor_id = ${monitorId} AND discarded`.execute(db);

  return (range) => seriesIn(range, rows, discarded, clock.ms());
}

function seriesIn(
  range: SeriesRange | SeriesWindow,
  rows: readonly Row[],
  discarded: readonly Window[],
  nowMs: number,
): NaiveSeries {
  const nowUnix = Math.floor(nowMs / 1000);
  const { fromUnix, toUnix, bucketSeconds } =
    typeof range === 'string' ? seriesWindow(range, nowUnix) : range;
  const untilMs = toUnix === nowUnix ? nowMs + 1 : toUnix * 1000;
  const inside = rows.filter(({ at_ms }) => at_ms >= fromUnix * 1000 && at_ms < untilMs);
  const counted = inside.filter(
    ({ at_ms, quiet }) =>
      !quiet && !discarded.some(({ from_ms, to_ms }) => at_ms >= from_ms && at_ms < to_ms),
  );
  const values = measured(inside);
  const good = counted.filter(({ status }) => status < 2).length;
  const byPoint = Map.groupBy(
    inside,
    ({ at_ms, slug }) => `${Math.floor(at_ms / 1000 / bucketSeconds) * bucketSeconds} ${slug}`,
  );
  return {
    from_unix: fromUnix,
    to_unix: toUnix,
    points: [...byPoint].map(([key, own]) => point(key, own)).sort(byTimeAndRegion),
    stats: {
      checks: counted.length,
      uptime_pct: counted.length === 0 ? null : (good / counted.length) * 100,
      avg_ms: average(values),
    },
    p95: nearestRank(values, 0.95),
    percentiles: [
      ...Map.groupBy(inside, ({ at_ms }) => Math.floor(at_ms / 1000 / bucketSeconds) * bucketSeconds),
    ]
      .map(([bucket_unix, own]) => ({ bucket_unix, values: measured(own) }))
      .filter((bucket) => bucket.values.length > 0)
      .map((bucket) => ({
        bucket_unix: bucket.bucket_unix,
        avg_ms: average(bucket.values),
        p50_ms: nearestRank(bucket.values, 0.5),
        p95_ms: nearestRank(bucket.values, 0.95),
        p99_ms: nearestRank(bucket.values, 0.99),
      }))
      .sort((a, b) => a.bucket_unix - b.bucket_unix),
  };
}

function point(key: string, rows: readonly Row[]): Series['points'][number] {
  const [bucket = '', slug = ''] = key.split(' ');
  const count = (status: number) => rows.filter((row) => row.status === status).length;
  const values = measured(rows);
  return {
    bucket_unix: Number(bucket),
    region: slug === '' ? null : slug,
    up: count(0),
    down: count(2),
    degraded: count(1),
    avg_ms: average(values),
    max_ms: values.length === 0 ? null : Math.round(Math.max(...values)),
  };
}

type Point = Series['points'][number];
const byTimeAndRegion = (a: Point, b: Point) =>
  a.bucket_unix - b.bucket_unix || ((a.region ?? '') < (b.region ?? '') ? -1 : 1);

const measured = (rows: readonly Row[]) => rows.flatMap(({ value }) => (value === null ? [] : [value]));

const average = (values: readonly number[]) =>
  values.length === 0 ? null : Math.round(values.reduce((a, b) => a + b, 0) / values.length);

function nearestRank(values: readonly number[], q: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(q * sorted.length)) - 1] ?? null;
}
