// How long each table is kept (docs/rules/limits.md#retention), and the span of its partitions.
import type { Partitioned } from './platform/db/partitions.ts';

/**
 * At most: as long as the plans in use ask for, see series/raw-retention. Where a plan has no limit, as long as their
 * 10-minute buckets are kept: every range of a series can be computed from single checks then.
 */
export const CHECKS: Partitioned = { table: 'checks', span: 'day', keepDays: 100 };

/** Blocks of the same checks, as long as those. */
export const PACKED_CHECKS: Partitioned = { ...CHECKS, table: 'packed_checks' };

/**
 * The responses of failing targets: as long as somebody may still look into a failure. It is much larger than a check, and
 * foreign text; what belongs to an incident stays with it.
 */
export const CHECK_RESPONSES: Partitioned = { table: 'check_responses', span: 'day', keepDays: 7 };

/** By month, so that a query plans over few of them. A series reads 90 days at most, of hours 30; days make a year. */
export const BUCKETS_10M: Partitioned = { table: 'check_buckets_10m', span: 'month', keepDays: 100 };
export const BUCKETS_1H: Partitioned = { table: 'check_buckets_1h', span: 'month', keepDays: 100 };
export const BUCKETS_12H: Partitioned = { table: 'check_buckets_12h', span: 'month', keepDays: 400 };
export const DOWNTIME_BUCKETS: Partitioned = { table: 'downtime_buckets', span: 'month', keepDays: 400 };
export const REPORTED_TIMES: Partitioned = { table: 'reported_times', span: 'month', keepDays: 400 };

/** Readings of host agents, as measured and rolled up. */
export const AGENT_READINGS: Partitioned = { table: 'agent_readings', span: 'day', keepDays: 7 };
export const AGENT_BUCKETS_10M: Partitioned = { table: 'agent_buckets_10m', span: 'month', keepDays: 100 };
export const AGENT_BUCKETS_12H: Partitioned = { table: 'agent_buckets_12h', span: 'month', keepDays: 400 };

export const ACTIVITY: Partitioned = { table: 'activity', span: 'month', keepDays: 400 };

export const PARTITIONED: readonly Partitioned[] = [
  CHECKS,
  PACKED_CHECKS,
  CHECK_RESPONSES,
  BUCKETS_10M,
  BUCKETS_1H,
  BUCKETS_12H,
  DOWNTIME_BUCKETS,
  REPORTED_TIMES,
  AGENT_READINGS,
  AGENT_BUCKETS_10M,
  AGENT_BUCKETS_12H,
  { table: 'agent_events', span: 'month', keepDays: 400 },
  ACTIVITY,
  { table: 'live_events', span: 'day', keepDays: 2 },
  { table: 'outbox', span: 'day', keepDays: 30 },
  { table: 'deliveries', span: 'day', keepDays: 30 },
];
