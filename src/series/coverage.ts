// The share of the expected checks that reported (docs/rules/figures.md#coverage).
import { type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../domain/durations.ts';
import { resultsEverySeconds } from '../domain/reporting.ts';
import { sourcesOf } from '../domain/series-unit.ts';
import type { Span } from '../domain/spans.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import { unix } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import { BUCKETS_10M, BUCKETS_12H } from '../retention.ts';
import { SPAN_SECONDS, TIER_1H, TIER_10M, TIER_12H } from './rollup-tiers.ts';
import { cut } from './sources.ts';

type Checked = { type: string; interval_seconds: number; regions: readonly string[]; created_at: Date };

/** Percentage of the expected checks, since the monitor's creation and at its present interval, that reported; at most 100. */
export function coverageOf(monitor: Checked, reported: number, { fromMs, untilMs }: Span): number | null {
  const sources = sourcesOf(monitor.type, monitor.regions.length);
  if (sources === null) return null;
  const since = Math.max(fromMs, monitor.created_at.getTime());
  const everyMs = resultsEverySeconds(monitor.type, monitor.interval_seconds) * 1000;
  const expected = Math.floor((untilMs - since) / everyMs) * sources;
  return expected <= 0 ? null : Math.min(100, (reported / expected) * 100);
}

/**
 * How many results many monitors have in a range, by their numbers, as their series count them; none for those without one.
 * null: it cannot be known. What is rolled up can be cut at ten minutes, what is older than 100 days at half a day.
 */
export async function readReported(
  db: Database,
  nos: readonly number[],
  { fromMs, untilMs }: Span,
  now: Date,
): Promise<Map<number, number> | null> {
  const rolled = await rolledUntil(db);
  const [from, until] = [fromMs / 1000, untilMs / 1000];
  const end = Math.max(from, Math.min(rolled, until));
  if (from < rolled && !isCut(from, now)) return null;
  if (until < rolled && !isCut(until, now)) return null;
  const { rows } = await sql<{ no: number; reported: number }>`
    WITH ${again(nos, from, end)}
    SELECT no, sum(n)::float8 AS reported FROM (
      ${sql.join([...bucketCounts(nos, from, end), ...checkCounts(nos, end, until)], sql` UNION ALL `)}
    ) counted GROUP BY no`.execute(db);
  return new Map(rows.map(({ no, reported }) => [no, reported]));
}

async function rolledUntil(db: Database): Promise<number> {
  const { rows } = await sql<{ at: Date }>`SELECT rolled_until AS at FROM rollup_state`.execute(db);
  return unix(rows[0]?.at ?? new Date(0));
}

/** Whether buckets end at an instant (Unix seconds) for which they are kept. */
function isCut(at: number, now: Date): boolean {
  const isKept = (days: number) => at * 1000 >= now.getTime() - days * DAY_MS;
  if (at % TIER_12H.seconds === 0) return isKept(BUCKETS_12H.keepDays);
  return at % SPAN_SECONDS === 0 && isKept(BUCKETS_10M.keepDays);
}

const instant = (at: number) => sql`${new Date(at * 1000)}::timestamptz`;

/** Time that changed after its roll-up, and the checks in it. Where there are none the old buckets are the best source. */
const again = (nos: readonly number[], from: number, end: number) => sql`
  again AS MATERIALIZED (
    SELECT d.no, lower(t) AS since, upper(t) AS until FROM (
      SELECT monitor_no AS no, range_agg(tstzrange(greatest(since, ${instant(from)}), least(until, ${instant(end)}))) AS times
      FROM rollup_dirty WHERE monitor_no = ANY(${pgArray(nos)}::int[]) AND until > ${instant(from)} AND since < ${instant(end)}
      GROUP BY 1
    ) d CROSS JOIN LATERAL unnest(d.times) AS t
  ), found AS MATERIALIZED (
    SELECT a.no, date_bin('10 minutes', c.checked_at, 'epoch') AS span, c.cause_layer IS DISTINCT FROM 'probe' AS counts
    FROM again a CROSS JOIN regions g CROSS JOIN LATERAL stored_instants(a.no, g.no, a.since, a.until) c
  )`;

function bucketCounts(nos: readonly number[], from: number, end: number): RawBuilder<unknown>[] {
  const segments = cut(from, end, [TIER_10M, TIER_1H, TIER_12H]);
  if (segments.length === 0) return [];
  return [
    ...segments.map(
      ({ tier, from: since, to }) => sql`
        SELECT b.monitor_no AS no, b.up + b.degraded + b.down AS n FROM ${sql.table(tier.table)} b
        WHERE b.monitor_no = ANY(${pgArray(nos)}::int[]) AND b.bucket >= ${instant(since)} AND b.bucket < ${instant(to)}`,
    ),
    sql`SELECT b.monitor_no AS no, -(b.up + b.degraded + b.down) AS n FROM (SELECT DISTINCT no, span FROM found) f
      JOIN ${sql.table(TIER_10M.table)} b ON b.monitor_no = f.no AND b.bucket = f.span
      WHERE b.bucket >= ${instant(from)} AND b.bucket < ${instant(end)}`,
    sql`SELECT no, 1 AS n FROM found WHERE counts`,
  ];
}

/** What is not rolled up yet is never packed. */
const checkCounts = (nos: readonly number[], end: number, until: number) => [
  sql`SELECT a.no, 1 AS n FROM unnest(${pgArray(nos)}::int[]) AS a (no) CROSS JOIN regions g CROSS JOIN LATERAL (
      SELECT c.checked_at FROM checks c WHERE c.monitor_no = a.no AND c.region_no = g.no AND c.checked_at >= ${instant(end)}
        AND c.checked_at < ${instant(until)} AND c.cause_layer IS DISTINCT FROM 'probe') c`,
];
