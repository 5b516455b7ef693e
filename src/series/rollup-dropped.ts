// Changed time whose single checks are dropped: its buckets are all that is left. A bucket wholly inside maintenance or an
// incident, or wholly outside, counts as such; of one in between nobody knows the share any more, and it keeps what it had.
import { sql } from 'kysely';
import { maintenanceTime } from '../incidents/in-maintenance.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Tx } from '../platform/work.ts';
import { DOWNTIME_BUCKETS } from '../retention.ts';
import type { Target } from './rollup-spans.ts';
import { SPAN_SECONDS, TIER_10M } from './rollup-tiers.ts';

/** Changed time of a monitor, by number. */
export type Changed = { no: number; since: Date; until: Date };

type Bucket = Target & {
  region: number;
  /** Wholly inside maintenance. */
  inside: boolean;
  /** Its stored share in maintenance is another. */
  isNew: boolean;
  /** Its results outside maintenance, unless it is wholly inside. */
  up: number;
  degraded: number;
  down: number;
  /** The incidents that it lies wholly inside of; null if there are none, or one begins or ends in it. */
  incidentIds: string[] | null;
};

const LENGTH = sql.raw(`interval '${SPAN_SECONDS} seconds'`);
const BUCKETS = sql.table(TIER_10M.table);
const DOWNTIME = sql.table(DOWNTIME_BUCKETS.table);

/**
 * Recounts the buckets of changed time outside `withChecks`, the spans that have checks. Returns those whose share in
 * maintenance is another now.
 */
export async function recountDropped(
  tx: Tx,
  changed: readonly Changed[],
  withChecks: readonly Target[],
): Promise<Target[]> {
  const buckets = changed.length === 0 ? [] : await readBuckets(tx, changed, withChecks);
  const renewed = buckets.filter(({ isNew }) => isNew);
  if (renewed.length > 0)
    await sql`
      UPDATE ${BUCKETS} b SET maintenance_up = CASE WHEN k.inside THEN nullif(b.up, 0) END,
        maintenance_degraded = CASE WHEN k.inside THEN nullif(b.degraded, 0) END,
        maintenance_down = CASE WHEN k.inside THEN nullif(b.down, 0) END
      FROM ${keysOf(renewed)} WHERE b.monitor_no = k.no AND b.bucket = to_timestamp(k.at) AND b.region_no = k.region`.execute(
      tx,
    );
  await recountDowntime(
    tx,
    buckets.filter(({ inside, incidentIds }) => inside || incidentIds !== null),
  );
  return renewed;
}

const keysOf = (buckets: readonly Bucket[]) => sql`unnest(${pgArray(buckets.map(({ no }) => no))}::int[],
  ${pgArray(buckets.map(({ at }) => at))}::bigint[], ${pgArray(buckets.map(({ region }) => region))}::smallint[],
  ${buckets.map(({ inside }) => inside)}::boolean[]) AS k (no, at, region, inside)`;

/** OFFSET 0 keeps to the index: a join over all would read the buckets of every monitor of the installation. */
async function readBuckets(
  tx: Tx,
  changed: readonly Changed[],
  withChecks: readonly Target[],
): Promise<Bucket[]> {
  const { rows } = await sql<Bucket>`
    SELECT b.no, extract(epoch FROM b.bucket)::bigint AS at, b.region, b.inside, i.ids AS "incidentIds",
      b.inside <> b.outside AND b.quiet_up + b.quiet_degraded + b.quiet_down
        <> CASE WHEN b.inside THEN b.up + b.degraded + b.down ELSE 0 END AS "isNew",
      CASE WHEN b.outside THEN b.up ELSE b.up - b.quiet_up END AS up,
      CASE WHEN b.outside THEN b.degraded ELSE b.degraded - b.quiet_degraded END AS degraded,
      CASE WHEN b.outside THEN b.down ELSE b.down - b.quiet_down END AS down
    FROM (
      SELECT no, since, until, ${maintenanceTime(sql`given.no`)} AS quiet
      FROM unnest(${pgArray(changed.map(({ no }) => no))}::int[], ${changed.map(({ since }) => since)}::timestamptz[],
        ${changed.map(({ until }) => until)}::timestamptz[]) AS given (no, since, until) OFFSET 0
    ) t CROSS JOIN LATERAL (
      SELECT b.monitor_no AS no, b.bucket, b.region_no AS region, b.up, b.degraded, b.down,
        coalesce(b.maintenance_up, 0) AS quiet_up, coalesce(b.maintenance_degraded, 0) AS quiet_degraded,
        coalesce(b.maintenance_down, 0) AS quiet_down,
        coalesce(tstzrange(b.bucket, b.bucket + ${LENGTH}) <@ t.quiet, false) AS inside,
        coalesce(NOT tstzrange(b.bucket, b.bucket + ${LENGTH}) && t.quiet, true) AS outside
      FROM ${BUCKETS} b WHERE b.monitor_no = t.no AND b.bucket >= t.since AND b.bucket < t.until OFFSET 0
    ) b CROSS JOIN LATERAL (
      SELECT CASE WHEN bool_and(i.started_at <= b.bucket AND (i.resolved_at IS NULL OR i.resolved_at >= b.bucket + ${LENGTH}))
        THEN array_agg(i.id ORDER BY i.id) END AS ids
      FROM incidents i WHERE i.monitor_no = b.no AND i.started_at < b.bucket + ${LENGTH}
        AND (i.resolved_at IS NULL OR i.resolved_at > b.bucket)
    ) i
    WHERE (b.no, b.bucket) NOT IN (SELECT no, to_timestamp(at) FROM unnest(
      ${pgArray(withChecks.map(({ no }) => no))}::int[], ${pgArray(withChecks.map(({ at }) => at))}::bigint[]) AS k (no, at))`.execute(
    tx,
  );
  return rows;
}

/** What discarding takes out: nothing of a bucket in maintenance, and all of one inside its incidents. */
async function recountDowntime(tx: Tx, buckets: readonly Bucket[]): Promise<void> {
  if (buckets.length === 0) return;
  await sql`
    DELETE FROM ${DOWNTIME} d USING ${keysOf(buckets)}
    WHERE d.monitor_no = k.no AND d.bucket = to_timestamp(k.at) AND d.region_no = k.region`.execute(tx);
  const counting = buckets.filter(({ inside }) => !inside);
  await sql`
    INSERT INTO ${DOWNTIME} (monitor_no, bucket, region_no, up, degraded, down, incident_ids)
    SELECT no, to_timestamp(at), region, up, degraded, down, "incidentIds"
    FROM jsonb_to_recordset(${JSON.stringify(counting)}::jsonb) AS b (no int, at bigint, region smallint, up int,
      degraded int, down int, "incidentIds" text[])
    WHERE "incidentIds" IS NOT NULL AND up + degraded + down > 0`.execute(tx);
}
