// The time that the results of a monitor cover, rolled up by half days beside the buckets: a steady monitor has one range.
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../platform/work.ts';

/** How long a result that speaks without an end stands in a range. */
export const ENDLESS_WINDOW_MS = 43_200_000;

/**
 * Adds the checks of rolled spans. `targets` is a table `t` (monitor_no, bucket), `checks` what follows FROM to read those of
 * a target and a region `r`. What results said is only ever added to: late ones, and the same ones twice, do no harm.
 */
export async function rollReported(
  tx: Tx,
  targets: RawBuilder<unknown>,
  checks: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    INSERT INTO reported_times AS k (monitor_no, bucket, rule_since, times)
    SELECT t.monitor_no, date_bin('12 hours', t.bucket, 'epoch'), s.since,
      range_agg(tstzrange(c.checked_at, c.checked_at + s.speaks))
    FROM ${targets} t JOIN (
      SELECT monitor_no, since, coalesce(until, 'infinity') AS until,
        make_interval(secs => coalesce(window_ms, ${ENDLESS_WINDOW_MS}::bigint) / 1000.0) AS speaks FROM reporting_rules
    ) s ON s.monitor_no = t.monitor_no AND s.since < t.bucket + interval '10 minutes' AND s.until > t.bucket
    CROSS JOIN regions r
    CROSS JOIN LATERAL (SELECT c.checked_at FROM ${checks} AND c.checked_at >= s.since AND c.checked_at < s.until) c
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (monitor_no, bucket, rule_since) DO UPDATE SET times = k.times + excluded.times
    WHERE NOT k.times @> excluded.times`.execute(tx);
}
