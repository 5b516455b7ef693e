// The sources of a series. Each part of its window is read from the coarsest buckets that fit; time not rolled up yet from
// checks. Spans that changed after their roll-up are read from checks too, and their old buckets are subtracted, so the
// result always agrees with the checks.
import { type RawBuilder, sql } from 'kysely';
import { maintenanceTime } from '../conditions/maintenance.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import { type Measure, SPAN_SECONDS, TIER_1H, TIER_10M, TIER_12H, type Tier } from './rollup-tiers.ts';

const DAY_SECONDS = 86_400;

/** Part of a window, in Unix seconds: [from, to) of one tier. */
export type Segment = { tier: Tier; from: number; to: number };

/**
 * Splits [from, to) into segments: the coarsest of `tiers` (fine to coarse) in the middle, finer ones towards the ends. Both
 * ends are multiples of the finest tier.
 */
export function cut(from: number, to: number, tiers: readonly Tier[]): Segment[] {
  const tier = tiers.at(-1);
  if (!tier || from >= to) return [];
  const first = Math.ceil(from / tier.seconds) * tier.seconds;
  const last = Math.floor(to / tier.seconds) * tier.seconds;
  const finer = tiers.slice(0, -1);
  if (first >= last) return cut(from, to, finer);
  return [...cut(from, first, finer), { tier, from: first, to: last }, ...cut(last, to, finer)];
}

/** Tiers that divide the buckets of the series evenly: its points are read from these. */
export function tiersWithin(bucketSeconds: number): Tier[] {
  return [TIER_10M, TIER_1H, TIER_12H].filter(({ seconds }) => bucketSeconds % seconds === 0);
}

/** A query: the monitor, the measure, and the window with its rolled-up part. */
export type Reading = {
  no: number;
  measure: Measure;
  from: Date;
  /** Last instant of the window. */
  to: Date;
  /** From here on checks are read. */
  rolled: Date;
  /** Starts (Unix seconds) of changed spans before `rolled`, which are read from checks. */
  dirty: readonly number[];
};

const spans = ({ dirty }: Reading) => sql`unnest(${pgArray(dirty)}::bigint[])`;

/** The columns of a bucket that a series needs; `sign` -1 subtracts the bucket. */
function bucketRow({ measure }: Reading, sign: 1 | -1): RawBuilder<unknown> {
  const times = sql.raw(sign === 1 ? '' : '-');
  const column = (suffix: string) => sql.ref(`b.${measure.name}_${suffix}`);
  return sql`b.bucket AS at, b.region_no, ${times} b.up AS up, ${times} b.degraded AS degraded, ${times} b.down AS down,
    ${times} (coalesce(b.maintenance_up, 0) + coalesce(b.maintenance_degraded, 0)) AS quiet_good,
    ${times} coalesce(b.maintenance_down, 0) AS quiet_down, ${times} ${column('count')} AS n,
    ${times} ${column('sum')}::float8 AS sum, ${sign === 1 ? column('max') : sql`NULL`}::float8 AS most,
    ${sql.ref(`b.${measure.histogram}`)} AS histogram, ${sql.raw(String(sign))} AS sign`;
}

/** Bucket rows: at, region_no, up, degraded, down, quiet_good, quiet_down, n, sum, most, histogram, sign. */
export function bucketRows(reading: Reading, segments: readonly Segment[]): RawBuilder<unknown> | null {
  const parts = segments.map(
    ({ tier, from, to }) => sql`
      SELECT ${bucketRow(reading, 1)} FROM ${sql.table(tier.table)} b
      WHERE b.monitor_no = ${reading.no} AND b.bucket >= ${new Date(from * 1000)} AND b.bucket < ${new Date(to * 1000)}`,
  );
  if (parts.length > 0 && reading.dirty.length > 0)
    parts.push(sql`
      SELECT ${bucketRow(reading, -1)} FROM ${spans(reading)} AS s (at)
      JOIN ${sql.table(TIER_10M.table)} b ON b.bucket = to_timestamp(s.at) AND b.monitor_no = ${reading.no}
      WHERE b.bucket >= ${reading.from} AND b.bucket < ${reading.rolled}`);
  return parts.length === 0 ? null : sql`${sql.join(parts, sql` UNION ALL `)}`;
}

/** No bucket rows. */
export const NO_BUCKETS = sql`SELECT NULL::timestamptz AS at, 0::smallint AS region_no, 0 AS up, 0 AS degraded, 0 AS down,
  0 AS quiet_good, 0 AS quiet_down, 0 AS n, 0::float8 AS sum, NULL::float8 AS most, NULL::int[] AS histogram, 1 AS sign
  WHERE false`;

/** Check rows: at, region_no, status, in_maintenance, value. */
export function checkRows(reading: Reading): RawBuilder<unknown> {
  const { no, measure, from, to, rolled, dirty } = reading;
  const value =
    measure.name === 'latency'
      ? sql`CASE WHEN c.status < 2 THEN c.latency_ms END`
      : sql.ref(measure.name === 'metric' ? 'c.metric_value' : 'c.metric_value_2');
  const quiet = maintenanceTime(sql`${no}::int`);
  const within = (checks: RawBuilder<unknown>) => sql`CROSS JOIN LATERAL (
    SELECT c.checked_at AS at, c.region_no, c.status, coalesce(c.checked_at <@ ${quiet}, false) AS in_maintenance,
      ${value}::float8 AS value FROM ${checks} AND c.cause_layer IS DISTINCT FROM 'probe') c`;
  // Columns are named one by one: a statement with `*` is not prepared.
  const columns = sql.raw('c.at, c.region_no, c.status, c.in_maintenance, c.value');
  // What is not rolled up yet is never packed.
  const open = sql`SELECT ${columns} FROM regions r ${within(sql`checks c
    WHERE c.monitor_no = ${no} AND c.region_no = r.no AND c.checked_at >= ${rolled} AND c.checked_at <= ${to}`)}`;
  if (dirty.length === 0) return open;
  const times = timesOf(dirty);
  return sql`${open} UNION ALL
    SELECT ${columns} FROM unnest(${pgArray(times.map(({ since }) => since))}::bigint[],
      ${pgArray(times.map(({ until }) => until))}::bigint[]) AS s (since, until) CROSS JOIN regions r ${within(sql`
      stored_results(${no}, r.no, to_timestamp(s.since), to_timestamp(s.until)) c
      WHERE c.checked_at >= ${from} AND c.checked_at < ${rolled}`)}`;
}

/** Spans that follow each other are read together, up to a day: packed checks are unpacked by days. */
export function timesOf(spansAt: readonly number[]): { since: number; until: number }[] {
  const times: { since: number; until: number }[] = [];
  for (const since of [...spansAt].sort((a, b) => a - b)) {
    const last = times.at(-1);
    if (last?.until === since && since % DAY_SECONDS !== 0) last.until += SPAN_SECONDS;
    else times.push({ since, until: since + SPAN_SECONDS });
  }
  return times;
}
