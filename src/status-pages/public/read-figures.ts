// The figures of a page: uptime by day, and response times. Few statements for many monitors, since a page may have 200.
import { sql } from 'kysely';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#src/domain/durations.ts';
import { type History, type Uptime, uptimeByPart, uptimeOf } from '#src/domain/uptime.ts';
import { utcDay } from '#src/domain/utc.ts';
import { unix } from '#src/platform/unix.ts';
import type { Database } from '#src/platform/work.ts';
import { asking, readHistories } from '#src/series/uptime.ts';
import type { ShownMonitor } from './shown-page.ts';
import type { MonthlyUptime, PublicDay, ResponseTimes } from './snapshot.ts';

export type MonitorFigures = {
  uptimePct: number | null;
  days: PublicDay[];
  sparkline: (number | null)[] | null;
  chart: ResponseTimes | null;
};

/** Figures of monitors by their numbers, as of a moment. */
export type Figures = { at: Date; byNo: Map<number, MonitorFigures> };

const SPARKLINE_MS = DAY_MS;
const SPARKLINE_BUCKET_MS = 30 * MINUTE_MS;

/** Length of a chart's bucket by the days of its window: about a hundred buckets. */
const CHART_BUCKET_MS: Readonly<Record<number, number>> = {
  7: 2 * HOUR_MS,
  14: 4 * HOUR_MS,
  30: 8 * HOUR_MS,
  90: DAY_MS,
  180: 2 * DAY_MS,
  365: 4 * DAY_MS,
};
/** Hourly buckets are kept for 100 days; those of half a day for longer. */
const HOURLY_DAYS = 90;

/** Start of the UTC day. */
const dayStart = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS;

/** The figures of monitors, each over its own window: today (UTC) and the days before. */
export async function readFigures(
  db: Database,
  monitors: readonly ShownMonitor[],
  now: Date,
): Promise<Figures> {
  if (monitors.length === 0) return { at: now, byNo: new Map() };
  const longest = Math.max(...monitors.map((monitor) => monitor.uptime_window_days));
  const nos = monitors.map(({ no }) => no);
  const [histories, sparklines, charts] = await Promise.all([
    readHistories(asking(db), nos, windowStart(longest, now), now),
    readSparklines(db, monitors, now),
    readCharts(db, monitors, now),
  ]);
  const byNo = new Map(
    monitors.map((monitor) => {
      const { no, uptime_window_days } = monitor;
      const history = histories.get(no) ?? { known: [], maintenance: [], downtime: [] };
      const figures = {
        ...uptimeOfDays(history, uptime_window_days, now),
        sparkline: monitor.show_sparkline ? (sparklines.get(no) ?? null) : null,
        chart: monitor.show_uptime_chart ? (charts.get(no) ?? null) : null,
      };
      return [no, figures] as const;
    }),
  );
  return { at: now, byNo };
}

const windowStart = (days: number, now: Date) => new Date(dayStart(now.getTime()) - (days - 1) * DAY_MS);

/** The uptime over the window of this many days, and that of each day. */
function uptimeOfDays(history: History, days: number, now: Date): Pick<MonitorFigures, 'uptimePct' | 'days'> {
  const range = { fromMs: windowStart(days, now).getTime(), untilMs: unix(now) * 1000 };
  const starts = Array.from({ length: days }, (_, i) => range.fromMs + i * DAY_MS);
  const parts = uptimeByPart(range, starts, history);
  return {
    uptimePct: uptimeOf(range, history).pct,
    days: parts.map(({ pct, downMs, maintenanceMs }, i) => ({
      date: utcDay(starts[i] ?? 0),
      uptimePct: pct,
      downtimeSeconds: Math.round(downMs / 1000),
      maintenanceSeconds: Math.round(maintenanceMs / 1000),
    })),
  };
}

/** The number of months on a page, including the current one. */
const MONTHS = 12;

/** The uptime of each of these monitors in the current month and the eleven before; months are UTC. */
export async function readMonths(
  db: Database,
  monitors: readonly { no: number; id: string; label: string }[],
  now: Date,
): Promise<MonthlyUptime[]> {
  const starts = Array.from({ length: MONTHS }, (_, i) =>
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (MONTHS - 1) + i, 1),
  );
  const range = { fromMs: starts[0] ?? 0, untilMs: unix(now) * 1000 };
  const nos = monitors.map(({ no }) => no);
  const histories = await readHistories(asking(db), nos, new Date(range.fromMs), now);
  const byMonitor = monitors.map(({ no, id, label }) => {
    const history = histories.get(no) ?? { known: [], maintenance: [], downtime: [] };
    return { id, label, parts: uptimeByPart(range, starts, history) as Uptime[] };
  });
  return starts
    .map((start, i) => ({
      month: utcDay(start).slice(0, 7),
      monitors: byMonitor.map(({ id, label, parts }) => ({
        id,
        label,
        uptimePct: parts[i]?.pct ?? null,
        downtimeSeconds: Math.round((parts[i]?.downMs ?? 0) / 1000),
      })),
    }))
    .reverse();
}

type Bucket = { no: number; at: number; average: number };

async function readSparklines(
  db: Database,
  monitors: readonly ShownMonitor[],
  now: Date,
): Promise<Map<number, (number | null)[]>> {
  const nos = monitors.filter((monitor) => monitor.show_sparkline).map(({ no }) => no);
  const from = alignedBack(now.getTime(), SPARKLINE_MS, SPARKLINE_BUCKET_MS);
  const { rows } = await sql<Bucket>`
    SELECT monitor_no AS no, extract(epoch FROM date_bin('30 minutes', bucket, 'epoch'))::float8 * 1000 AS at,
      sum(latency_sum)::float8 / sum(latency_count) AS average
    FROM check_buckets_10m
    WHERE monitor_no = ANY(${nos}::int[]) AND bucket >= ${new Date(from)} AND bucket < ${now} AND latency_count > 0
    GROUP BY 1, 2`.execute(db);
  const count = Math.ceil((now.getTime() - from) / SPARKLINE_BUCKET_MS);
  return laidOut(rows, () => ({ from, bucketMs: SPARKLINE_BUCKET_MS, count }));
}

/** The start of the bucket after the one that contains the instant `lengthMs` earlier: a whole number of buckets. */
const alignedBack = (ms: number, lengthMs: number, bucketMs: number) =>
  Math.floor((ms - lengthMs) / bucketMs) * bucketMs + bucketMs;

async function readCharts(
  db: Database,
  monitors: readonly ShownMonitor[],
  now: Date,
): Promise<Map<number, ResponseTimes>> {
  const shown = monitors.filter((monitor) => monitor.show_uptime_chart);
  const placeOf = new Map(
    shown.map(({ no, uptime_window_days: days }) => {
      const bucketMs = CHART_BUCKET_MS[days] ?? DAY_MS;
      const from = alignedBack(now.getTime(), days * DAY_MS, bucketMs);
      return [no, { from, bucketMs, count: Math.ceil((now.getTime() - from) / bucketMs) }] as const;
    }),
  );
  const read = async (table: string, of: readonly ShownMonitor[]) => {
    if (of.length === 0) return [];
    const places = of.map(({ no }) => {
      const { from = 0, bucketMs = DAY_MS } = placeOf.get(no) ?? {};
      return { no, from: new Date(from), seconds: bucketMs / 1000 };
    });
    const earliest = new Date(Math.min(...places.map(({ from }) => from.getTime())));
    const { rows } = await sql<Bucket>`
      SELECT p.no, b.at, b.average FROM jsonb_to_recordset(${JSON.stringify(places)}::jsonb) AS p (no int, "from" timestamptz, seconds int)
      CROSS JOIN LATERAL (
        SELECT extract(epoch FROM date_bin(make_interval(secs => p.seconds), bucket, p.from))::float8 * 1000 AS at,
          sum(latency_sum)::float8 / sum(latency_count) AS average
        FROM ${sql.raw(table)} WHERE monitor_no = p.no AND bucket >= p.from AND bucket >= ${earliest} AND bucket < ${now} AND latency_count > 0
        GROUP BY 1
      ) b`.execute(db);
    return rows;
  };
  const [recent, older] = await Promise.all([
    read(
      'check_buckets_1h',
      shown.filter((monitor) => monitor.uptime_window_days < HOURLY_DAYS),
    ),
    read(
      'check_buckets_12h',
      shown.filter((monitor) => monitor.uptime_window_days >= HOURLY_DAYS),
    ),
  ]);
  const averages = laidOut(
    [...recent, ...older],
    (no) => placeOf.get(no) ?? { from: 0, bucketMs: 1, count: 0 },
  );
  return new Map(
    [...averages].map(([no, averagesMs]) => {
      const { from = 0, bucketMs = DAY_MS } = placeOf.get(no) ?? {};
      return [no, { fromMs: from, bucketMs, averagesMs }];
    }),
  );
}

/** Consecutive buckets, null where there is none. */
function laidOut(
  buckets: readonly Bucket[],
  placeOf: (no: number) => { from: number; bucketMs: number; count: number },
): Map<number, (number | null)[]> {
  const found = new Map<number, (number | null)[]>();
  for (const { no, at, average } of buckets) {
    const { from, bucketMs, count } = placeOf(no);
    const row = found.get(no) ?? Array.from({ length: count }, () => null);
    const i = Math.round((at - from) / bucketMs);
    if (i >= 0 && i < count) row[i] = Math.round(average);
    found.set(no, row);
  }
  return found;
}
