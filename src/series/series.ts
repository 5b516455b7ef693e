// The time series of a monitor (docs/rules/figures.md#series).
import { sql } from 'kysely';
import { bucketStart, ROLLED_BUCKET_SECONDS } from '../domain/series.ts';
import { type Curve, curveOf } from '../domain/series-unit.ts';
import { uptimeOf } from '../domain/uptime.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import type { Series, SeriesPercentiles, SeriesQuery } from './contract.ts';
import { coverageOf } from './coverage.ts';
import { readFigures } from './figures.ts';
import { type Percentiles, readPercentiles } from './percentiles.ts';
import { type Point, readPoints } from './points.ts';
import { windowOf } from './range.ts';
import { MEASURES, SPAN_SECONDS, TIER_1H, TIER_10M, TIER_12H } from './rollup-tiers.ts';
import { cut, type Reading, tiersWithin } from './sources.ts';
import { asking, readHistory } from './uptime.ts';

type Monitor = {
  no: number;
  type: string;
  metric: string | null;
  interval_seconds: number;
  regions: string[];
  created_at: Date;
  rolled: number;
  dirty: boolean;
};

/** What is older may be packed. */
const NEVER_PACKED_SECONDS = 86_400;
const LENGTH = sql.raw(`interval '${SPAN_SECONDS} seconds'`);
/** The largest latency of the API (int32). */
const MAX_INT4 = 2 ** 31 - 1;
/** Digits of a metric: more than anybody measures, fewer than sums in another order differ by. */
const DIGITS = 12;

/**
 * The series of a monitor. Points count every result of their bucket and region; buckets are aligned and empty ones absent.
 * The figures leave out results in maintenance, in discarded incidents, and without a statement about the target.
 */
export async function seriesOf(
  db: Database,
  { monitorId, orgId }: { monitorId: string; orgId: string },
  query: SeriesQuery,
  now: Date,
): Promise<Series> {
  const { range, fromUnix, toUnix, bucketSeconds } = await windowOf(db, orgId, query, now);
  const { series_metric, percentiles } = query;
  const monitor = await readMonitor(db, monitorId, new Date(fromUnix * 1000));
  if (series_metric !== undefined && monitor.type !== 'service')
    refuse('invalid_request', 'series_metric is for service monitors only.', { field: 'series_metric' });
  const curve = curveOf(monitor.type, monitor.metric, series_metric ?? 'cpu');
  const isNow = toUnix === unix(now);
  const isRolled = bucketSeconds >= ROLLED_BUCKET_SECONDS;
  const isYoung = fromUnix > unix(now) - NEVER_PACKED_SECONDS;
  const rolled = isRolled || !isYoung ? Math.max(fromUnix, Math.min(monitor.rolled, toUnix)) : fromUnix;
  const reading: Reading = {
    no: monitor.no,
    measure: measureOf(curve),
    from: new Date(fromUnix * 1000),
    to: isNow ? now : new Date(toUnix * 1000 - 1),
    rolled: new Date(rolled * 1000),
    dirty: !isRolled
      ? spansOf(fromUnix, rolled)
      : monitor.dirty
        ? await noted(db, monitor.no, fromUnix, rolled)
        : [],
  };
  const until = isRolled ? rolled : fromUnix;
  const segments = cut(fromUnix, until, tiersWithin(bucketSeconds));
  const [points, shares, figures, history] = await Promise.all([
    readPoints(db, reading, segments, bucketSeconds),
    percentiles ? readPercentiles(db, reading, segments, bucketSeconds) : null,
    readFigures(db, reading, cut(fromUnix, until, [TIER_10M, TIER_1H, TIER_12H])),
    readHistory(asking(db), monitor.no, reading.from, new Date(toUnix * 1000)),
  ]);
  const show = shownAs(curve);
  return {
    range,
    from_unix: fromUnix,
    to_unix: toUnix,
    bucket_seconds: bucketSeconds,
    unit: curve.unit,
    points: points.map((point) => showPoint(point, show)),
    ...(shares === null ? {} : { percentiles: shares.map((each) => showPercentiles(each, show)) }),
    stats: {
      checks: figures.counted,
      uptime_pct: figures.counted === 0 ? null : (figures.good / figures.counted) * 100,
      avg_ms: show(figures.average),
      p95_ms: show(figures.p95),
      uptime_time_pct: uptimeOf({ fromMs: fromUnix * 1000, untilMs: toUnix * 1000 }, history).pct,
      coverage_pct: coverageOf(monitor, figures.reported, {
        fromMs: fromUnix * 1000,
        untilMs: isNow ? now.getTime() : toUnix * 1000,
      }),
    },
  };
}

/** The monitor, the end of its rolled-up time, and whether the window contains changed time. */
async function readMonitor(db: Database, monitorId: string, from: Date): Promise<Monitor> {
  const { rows } = await sql<Monitor>`
    SELECT m.no, m.type, CASE WHEN m.type = 'agent' THEN m.config ->> 'metric' END AS metric, m.interval_seconds,
      m.regions, m.created_at, (SELECT extract(epoch FROM rolled_until)::bigint FROM rollup_state) AS rolled,
      EXISTS (SELECT FROM rollup_dirty d WHERE d.monitor_no = m.no AND d.until > ${from}) AS dirty
    FROM monitors m WHERE m.id = ${monitorId}`.execute(db);
  return rows[0] ?? notFound('monitor');
}

/**
 * Changed spans of [from, rolled) that have checks. Without checks the old buckets remain the best source. Changed time may
 * reach far back before the first check.
 */
async function noted(db: Database, no: number, from: number, rolled: number): Promise<readonly number[]> {
  const { rows } = await sql<{ at: number }>`
    WITH noted AS (
      SELECT greatest(since, to_timestamp(${from}::bigint)) AS since, least(until, to_timestamp(${rolled}::bigint)) AS until
      FROM rollup_dirty WHERE monitor_no = ${no} AND until > to_timestamp(${from}::bigint)
        AND since < to_timestamp(${rolled}::bigint)
    ), first AS MATERIALIZED (
      SELECT min(c.checked_at) AS at FROM regions r CROSS JOIN LATERAL (
        SELECT c.checked_at FROM checks c WHERE c.monitor_no = ${no} AND c.region_no = r.no
          AND c.checked_at >= (SELECT min(since) FROM noted) AND c.checked_at < (SELECT max(until) FROM noted)
        ORDER BY c.checked_at LIMIT 1) c
    ), spans AS (
      SELECT DISTINCT generate_series(greatest(n.since, date_bin(${LENGTH}, f.at, 'epoch')),
        n.until - interval '1 microsecond', ${LENGTH}) AS at
      FROM noted n, first f WHERE f.at IS NOT NULL
    ), old AS (
      SELECT date_bin(${LENGTH}, l.checked_at, 'epoch') AS at FROM noted n JOIN late_checks l ON l.monitor_no = ${no}
        AND l.checked_at >= n.since AND l.checked_at < n.until
      UNION
      SELECT p FROM noted n CROSS JOIN regions r
      CROSS JOIN LATERAL packed_spans_within(${no}, r.no, n.since, n.until, ${SPAN_SECONDS}::int) p
    )
    SELECT extract(epoch FROM s.at)::bigint AS at FROM spans s
    WHERE EXISTS (SELECT FROM regions r CROSS JOIN LATERAL (
      SELECT FROM checks c WHERE c.monitor_no = ${no} AND c.region_no = r.no AND c.checked_at >= s.at
        AND c.checked_at < s.at + ${LENGTH} LIMIT 1) c)
    UNION SELECT extract(epoch FROM at)::bigint FROM old`.execute(db);
  return rows.map(({ at }) => at);
}

/** The spans that [from, rolled) touches: what is read from checks throughout, packed ones too. */
function spansOf(from: number, rolled: number): readonly number[] {
  const first = bucketStart(from, SPAN_SECONDS);
  const count = rolled > from ? Math.ceil((rolled - first) / SPAN_SECONDS) : 0;
  return Array.from({ length: count }, (_, i) => first + i * SPAN_SECONDS);
}

const measureOf = ({ measure }: Curve) => MEASURES.find(({ name }) => name === measure) ?? MEASURES[0];

type Show = (value: number | null) => number | null;

const showPoint = ({ bucket, slug, up, down, degraded, n, sum, most }: Point, show: Show) => ({
  bucket_unix: bucket,
  region: slug === '' ? null : slug,
  up,
  down,
  degraded,
  avg_ms: n === 0 ? null : show((sum ?? 0) / n),
  max_ms: n === 0 ? null : show(most),
});

const showPercentiles = ({ bucket, n, sum, p50, p95, p99 }: Percentiles, show: Show): SeriesPercentiles => ({
  bucket_unix: bucket,
  avg_ms: n === 0 ? null : show((sum ?? 0) / n),
  p50_ms: show(p50),
  p95_ms: show(p95),
  p99_ms: show(p99),
});

/** Latencies are whole milliseconds. Metrics are what was measured: a load of 0.7 is not 1. */
const shownAs =
  ({ measure }: Curve): Show =>
  (value) => {
    if (value === null) return null;
    if (measure !== 'latency') return Number(value.toPrecision(DIGITS));
    return Math.max(-MAX_INT4, Math.min(MAX_INT4, Math.round(value)));
  };
