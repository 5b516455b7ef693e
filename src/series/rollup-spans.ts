// The statements that roll checks up into buckets. Each overwrites its buckets with the current counts, so running one twice
// changes nothing.
import { type RawBuilder, sql } from 'kysely';
import { inMaintenance, maintenanceTime } from '../conditions/maintenance.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Tx } from '../platform/work.ts';
import { rollReported } from './reported.ts';
import { binOfSql, histogramOfBins, histogramOfElements } from './rollup-histogram.ts';
import {
  COLUMNS,
  COUNTS,
  MEASURES,
  type Measure,
  OVERWRITE,
  SPAN_SECONDS,
  TIER_10M,
  type Tier,
} from './rollup-tiers.ts';

/** A bucket of one monitor, by the second at which it starts. */
export type Target = { no: number; at: number };

type Counted = { no: number; at: number; region: number };

const LENGTH = sql.raw(`interval '${SPAN_SECONDS} seconds'`);
const measured = sql.raw('c.status < 2');

/**
 * Column expressions over the checks of one monitor, region and span, in the order of COLUMNS after the key; `t.quiet` is
 * the monitor's maintenance time.
 */
const COUNTED = sql`
  (count(*) FILTER (WHERE c.status = 0))::int AS up,
  (count(*) FILTER (WHERE c.status = 1))::int AS degraded,
  (count(*) FILTER (WHERE c.status = 2))::int AS down,
  nullif(count(*) FILTER (WHERE c.checked_at <@ t.quiet AND c.status = 0), 0)::int AS maintenance_up,
  nullif(count(*) FILTER (WHERE c.checked_at <@ t.quiet AND c.status = 1), 0)::int AS maintenance_degraded,
  nullif(count(*) FILTER (WHERE c.checked_at <@ t.quiet AND c.status = 2), 0)::int AS maintenance_down,
  ${measure(MEASURES[0], sql`c.latency_ms`, sql`${measured} AND c.latency_ms IS NOT NULL`)},
  ${measure(MEASURES[1], sql`c.metric_value`, sql`c.metric_value IS NOT NULL`)},
  ${measure(MEASURES[2], sql`c.metric_value_2`, sql`c.metric_value_2 IS NOT NULL`)}`;

function measure({ name, bins }: Measure, value: RawBuilder<unknown>, where: RawBuilder<unknown>) {
  const filter = sql`FILTER (WHERE ${where})`;
  return sql`nullif(count(*) ${filter}, 0)::int AS ${sql.ref(`${name}_count`)},
    sum(${value}) ${filter} AS ${sql.ref(`${name}_sum`)},
    max(${value}) ${filter} AS ${sql.ref(`${name}_max`)},
    array_agg(${binOfSql(bins, value)}) ${filter} AS ${sql.ref(`${name}_bins`)}`;
}

const SELECTED = sql.raw(
  [
    ...COUNTS.map((column) => `c.${column}`),
    ...MEASURES.map(({ name }) => `c.${name}_count, c.${name}_sum, c.${name}_max, ${name}_h`),
  ].join(', '),
);

/** Targets as a table: `monitor_no`, `bucket`. */
const tableOf = (targets: readonly Target[]) => sql`(
  SELECT no AS monitor_no, to_timestamp(at) AS bucket
  FROM unnest(${pgArray(targets.map(({ no }) => no))}::int[],
    ${pgArray(targets.map(({ at }) => at))}::bigint[]) AS given (no, at))`;

/** The same with `quiet`; OFFSET 0 prevents computing it again for every check. */
const withQuiet = (targets: readonly Target[]) => sql`(
  SELECT g.*, ${maintenanceTime(sql`g.monitor_no`)} AS quiet FROM ${tableOf(targets)} g OFFSET 0)`;

/** Where the checks of targets are read: as they came, or as `unpackFor` has put them together. */
export type Source = 'checks' | 'unpacked_checks';

/** The conclusive checks of a target `t` and a region `r`, bounded by the time of all targets to touch few partitions. */
function checksOf(source: Source, targets: readonly Target[]) {
  const times = targets.map(({ at }) => at * 1000);
  const from = new Date(times.reduce((a, b) => Math.min(a, b)));
  const to = new Date(times.reduce((a, b) => Math.max(a, b)) + SPAN_SECONDS * 1000);
  return sql`${sql.table(source)} c WHERE c.monitor_no = t.monitor_no AND c.region_no = r.no AND c.checked_at >= t.bucket
    AND c.checked_at < t.bucket + ${LENGTH} AND c.checked_at >= ${from} AND c.checked_at < ${to}
    AND c.cause_layer IS DISTINCT FROM 'probe'`;
}

/**
 * Rolls checks up into spans of 10 minutes, and their share inside incidents. A span without checks, or whose checks are
 * dropped, stays as it is.
 */
export async function rollSpans(tx: Tx, targets: readonly Target[], source: Source): Promise<void> {
  if (targets.length === 0) return;
  const inIncidents = await sql<Counted>`
    WITH rolled AS (
      INSERT INTO ${sql.table(TIER_10M.table)} AS b (${COLUMNS})
      SELECT t.monitor_no, t.bucket, r.no, ${SELECTED}
      FROM ${withQuiet(targets)} t CROSS JOIN regions r
      CROSS JOIN LATERAL (SELECT count(*) AS n, ${COUNTED} FROM ${checksOf(source, targets)}) c
      CROSS JOIN LATERAL (SELECT ${histogramOfBins(sql`c.latency_bins`)} AS latency_h,
        ${histogramOfBins(sql`c.metric_bins`)} AS metric_h, ${histogramOfBins(sql`c.metric_2_bins`)} AS metric_2_h) h
      WHERE c.n > 0 ORDER BY 1, 2, 3
      ${OVERWRITE} RETURNING monitor_no, bucket, region_no
    )
    SELECT monitor_no AS no, extract(epoch FROM bucket)::bigint AS at, region_no AS region FROM rolled k
    WHERE EXISTS (SELECT FROM incidents i WHERE i.monitor_no = k.monitor_no AND i.started_at < k.bucket + ${LENGTH}
        AND (i.resolved_at IS NULL OR i.resolved_at > k.bucket))
      OR EXISTS (SELECT FROM downtime_buckets d WHERE d.monitor_no = k.monitor_no AND d.bucket = k.bucket)`.execute(
    tx,
  );
  await rollDowntime(tx, inIncidents.rows, source);
  await rollReported(tx, tableOf(targets), checksOf(source, targets));
}

/** Counts the checks inside incidents, by the exact set of incidents: overlapping ones never count a result twice. */
async function rollDowntime(tx: Tx, counted: readonly Counted[], source: Source): Promise<void> {
  if (counted.length === 0) return;
  const keys = sql`unnest(${pgArray(counted.map(({ no }) => no))}::int[],
    ${pgArray(counted.map(({ at }) => at))}::bigint[],
    ${pgArray(counted.map(({ region }) => region))}::smallint[]) AS k (no, at, region)`;
  await sql`
    DELETE FROM downtime_buckets d USING ${keys}
    WHERE d.monitor_no = k.no AND d.bucket = to_timestamp(k.at) AND d.region_no = k.region`.execute(tx);
  await sql`
    INSERT INTO downtime_buckets (monitor_no, bucket, region_no, up, degraded, down, incident_ids)
    SELECT t.monitor_no, t.bucket, r.no, count(*) FILTER (WHERE c.status = 0), count(*) FILTER (WHERE c.status = 1),
      count(*) FILTER (WHERE c.status = 2), i.ids
    FROM (SELECT no AS monitor_no, to_timestamp(at) AS bucket, region FROM ${keys}) t
    CROSS JOIN LATERAL (SELECT t.region AS no) r
    CROSS JOIN LATERAL (SELECT c.checked_at, c.status FROM ${checksOf(source, counted)} AND NOT ${inMaintenance(sql`c.monitor_no`, sql`c.checked_at`)}) c
    CROSS JOIN LATERAL (
      SELECT array_agg(i.id ORDER BY i.id) AS ids FROM incidents i
      WHERE i.monitor_no = t.monitor_no AND i.started_at <= c.checked_at
        AND (i.resolved_at IS NULL OR c.checked_at < i.resolved_at)
    ) i
    WHERE i.ids IS NOT NULL GROUP BY t.monitor_no, t.bucket, r.no, i.ids`.execute(tx);
}

/** Rolls the buckets of a finer tier, which must be complete, up into coarser ones. */
export async function rollTier(tx: Tx, tier: Tier, finer: Tier, targets: readonly Target[]): Promise<void> {
  if (targets.length === 0) return;
  const within = sql`f.monitor_no = t.monitor_no AND f.bucket >= t.bucket
    AND f.bucket < t.bucket + ${sql.raw(`interval '${tier.seconds} seconds'`)}`;
  const merged = ({ name, histogram }: (typeof MEASURES)[number]) => sql`
    CASE WHEN c.${sql.raw(name)}_count > 0 THEN ${histogramOfElements(sql`
      FROM ${sql.table(finer.table)} f, unnest(f.${sql.ref(histogram)}) AS v
      WHERE ${within} AND f.region_no = c.region_no`)} END AS ${sql.ref(`${name}_h`)}`;
  const sums = sql.raw(
    [
      ...COUNTS.map((column) => `sum(f.${column})::int AS ${column}`),
      ...MEASURES.map(
        ({ name }) => `sum(f.${name}_count)::int AS ${name}_count, sum(f.${name}_sum) AS ${name}_sum,
          max(f.${name}_max) AS ${name}_max`,
      ),
    ].join(', '),
  );
  await sql`
    INSERT INTO ${sql.table(tier.table)} AS b (${COLUMNS})
    SELECT t.monitor_no, t.bucket, c.region_no, ${SELECTED}
    FROM ${tableOf(targets)} t
    CROSS JOIN LATERAL (SELECT f.region_no, ${sums} FROM ${sql.table(finer.table)} f WHERE ${within} GROUP BY 1) c
    CROSS JOIN LATERAL (SELECT ${sql.join(MEASURES.map(merged))}) h
    ORDER BY 1, 2, 3
    ${OVERWRITE}`.execute(tx);
}
