// The region that checks each monitor: the rows that probes pull. They are written at the end of the unit of work that changes
// a monitor, under the lock of each region's revision, so that revisions commit in order and no probe misses a change.
import { sql } from 'kysely';
import type { CheckInterval } from '../domain/check-interval.ts';
import { type Collector, defer, sendUnawaited, type Work } from '../platform/work.ts';
import { ASSIGNMENTS_CHANNEL } from '../regions/wake.ts';
import { TYPES } from './types.ts';

/** The current interval: `failed_interval_seconds` while the monitor fails, counted from the failure. */
type Change = { monitorNo: number } & CheckInterval;

/** The minimum interval by type, in seconds. */
const MIN_INTERVALS = JSON.stringify(
  Object.fromEntries(
    [...TYPES.values()].map(({ type, leastIntervalSeconds }) => [type, leastIntervalSeconds]),
  ),
);

const collector: Collector<Change> = {
  name: 'assignments',
  rank: 1,
  async flush(work, items) {
    const { now } = work;
    const checkIntervals = new Map<number, CheckInterval>(items.map((item) => [item.monitorNo, item]));
    const nos = [...checkIntervals.keys()];
    const seconds = [...checkIntervals.values()].map(({ intervalSeconds }) => intervalSeconds);
    const since = [...checkIntervals.values()].map(({ sinceMs }) => sinceMs);
    // First, since its rows are the lock.
    const counted = sql`
      WITH affected AS (
        SELECT r.no FROM regions r
        WHERE r.no IN (SELECT a.region_no FROM assignments a WHERE a.monitor_no = ANY(${nos}::int[]) AND NOT a.removed)
           OR r.slug IN (SELECT unnest(m.regions) FROM monitors m WHERE m.no = ANY(${nos}::int[]))
        ORDER BY r.no FOR UPDATE
      ), raised AS (
        UPDATE regions SET revision = revision + 1 FROM affected WHERE regions.no = affected.no RETURNING regions.no
      )
      SELECT pg_notify(${ASSIGNMENTS_CHANNEL}, no::text) FROM raised`;
    const laidOut = sql`
      WITH desired AS (
        SELECT r.no AS region_no, r.revision, m.no AS monitor_no, m.id AS monitor_id,
          -- Failing or not, a monitor is not checked more often than its type allows.
          greatest(u.seconds, (${MIN_INTERVALS}::jsonb ->> m.type)::int) AS seconds, u.since_ms
        FROM unnest(${nos}::int[], ${seconds}::int[], ${since}::bigint[]) AS u (no, seconds, since_ms)
        JOIN monitors m ON m.no = u.no AND m.enabled
        JOIN regions r ON r.slug = ANY(m.regions)
      ), kept AS (
        INSERT INTO assignments (region_no, monitor_no, monitor_id, revision, interval_seconds, offset_ms, removed, changed_at)
        SELECT region_no, monitor_no, monitor_id, revision, seconds, since_ms % (seconds * 1000::bigint), false,
          ${now}::timestamptz
        FROM desired
        ON CONFLICT (region_no, monitor_no) DO UPDATE SET revision = excluded.revision,
          interval_seconds = excluded.interval_seconds, offset_ms = excluded.offset_ms, removed = false, changed_at = excluded.changed_at
      )
      UPDATE assignments a SET removed = true, revision = r.revision, changed_at = ${now}::timestamptz
      FROM regions r
      WHERE r.no = a.region_no AND a.monitor_no = ANY(${nos}::int[]) AND NOT a.removed
        AND NOT EXISTS (SELECT FROM desired d WHERE d.region_no = a.region_no AND d.monitor_no = a.monitor_no)`;
    sendUnawaited(work, counted, laidOut);
  },
};

/**
 * Writes the interval of a monitor whose state is locked, and reassigns the monitor. Decisions write it with the rest of the
 * state.
 */
export async function assignInterval(work: Work, change: Change): Promise<void> {
  const since = change.sinceMs === null ? null : new Date(change.sinceMs);
  await work.tx
    .updateTable('monitor_state')
    .set({ faster_since: since })
    .where('monitor_no', '=', change.monitorNo)
    .execute();
  reassign(work, change);
}

/** Updates the assignments of a monitor to its state at the end of this unit of work. */
export function reassign(work: Work, change: Change): void {
  defer(work, collector, change);
}
