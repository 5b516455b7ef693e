// The three bucket tables, from fine to coarse. The first is computed from checks, each other from the one before.
import { sql } from 'kysely';
import { LATENCY_BINS, METRIC_BINS } from '../domain/histogram.ts';
import { BUCKETS_1H, BUCKETS_10M, BUCKETS_12H, DOWNTIME_BUCKETS, REPORTED_TIMES } from '../retention.ts';

export type Tier = { table: string; seconds: number };

export const SPAN_SECONDS = 600;
export const TIER_10M: Tier = { table: BUCKETS_10M.table, seconds: SPAN_SECONDS };
export const TIER_1H: Tier = { table: BUCKETS_1H.table, seconds: 3600 };
export const TIER_12H: Tier = { table: BUCKETS_12H.table, seconds: 43_200 };

/** All tables that the roll-up writes. */
export const ROLLED = [BUCKETS_10M, BUCKETS_1H, BUCKETS_12H, DOWNTIME_BUCKETS, REPORTED_TIMES] as const;

const KEY = ['monitor_no', 'bucket', 'region_no'] as const;
export const COUNTS = [
  'up',
  'degraded',
  'down',
  'maintenance_up',
  'maintenance_degraded',
  'maintenance_down',
] as const;
/** The measures: prefix of the columns `_count`, `_sum` and `_max`, name of the histogram column, and its bins. */
export const MEASURES = [
  { name: 'latency', histogram: 'latencies', bins: LATENCY_BINS },
  { name: 'metric', histogram: 'metrics', bins: METRIC_BINS },
  { name: 'metric_2', histogram: 'metrics_2', bins: METRIC_BINS },
] as const;
export type Measure = (typeof MEASURES)[number];

const VALUES = [
  ...COUNTS,
  ...MEASURES.flatMap(({ name, histogram }) => [`${name}_count`, `${name}_sum`, `${name}_max`, histogram]),
];
/** Columns in the order in which every statement selects them. */
export const COLUMNS = sql.raw([...KEY, ...VALUES].join(', '));

/**
 * Overwrites the existing bucket (`b`) unless it counts more. The results of a past span only ever grow: a recount that
 * finds fewer has read checks that are being dropped.
 */
export const OVERWRITE = sql.raw(`ON CONFLICT (${KEY.join(', ')}) DO UPDATE SET
  ${VALUES.map((column) => `${column} = excluded.${column}`).join(', ')}
  WHERE excluded.up + excluded.degraded + excluded.down >= b.up + b.degraded + b.down`);
