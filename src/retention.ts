// What is kept how long (decisions, section 10), and by which span it is dropped.
import type { Partitioned } from './platform/db/partitions.ts';

export const CHECKS: Partitioned = { table: 'checks', span: 'day', keepDays: 100 };

export const PARTITIONED: readonly Partitioned[] = [
  CHECKS,
  { table: 'activity', span: 'month', keepDays: 400 },
  { table: 'live_events', span: 'day', keepDays: 2 },
  { table: 'outbox', span: 'day', keepDays: 30 },
  { table: 'deliveries', span: 'day', keepDays: 30 },
];
