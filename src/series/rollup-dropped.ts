// Changed time whose single checks are dropped: its buckets are all that is left. A bucket wholly inside maintenance or an
// incident, or wholly outside, counts as such; of one in between nobody knows the share any more, and it keeps what it had.
import { sql } from 'kysely';
import { maintenanceTime } from '../conditions/maintenance.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Tx } from '../platform/work.ts';
import { DOWNTIME_BUCKETS } from '../retention.ts';
import type { Target } from './rollup-spans.ts';
import { SPAN_SECONDS, TIER_10M } from './rollup-tiers.ts';

/** Changed time of a monitor, by number. */
export type Changed = { no: number; since: Date; until: Date };

type Read = Target & {
  region: number;
  /** Wholly inside maintenance. */
  inside: boolean;
  /** Its stored share in maintenance is another. */
  isNew: boolean;
  /** Its results outside maintenance, unless it is wholly inside. */
  up: number;
  degraded: number;
  down: number;
};

type Bucket = Read & {
  /** The incidents that it lies wholly inside of; null if there are none, or one begins or ends in it. */
  incidentIds: readonly string[] | null;
};

/** An incident of a monitor, in Unix seconds; Infinity until it is over. */
type Incident = { no: number; id: string; from: number; until: number };

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
  const read = changed.length === 0 ? [] : await readBuckets(tx, changed, withChecks);
  const buckets = read.length === 0 ? [] : withIncidents(read, await readIncidents(tx, read));
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
): Promise<Read[]> {
  const { rows } = await sql<Read>`
    SELECT b.no, extract(epoch FROM b.bucket)::bigint AS at, b.region, b.inside,
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
    ) b
    WHERE (b.no, b.bucket) NOT IN (SELECT no, to_timestamp(at) FROM unnest(
      ${pgArray(withChecks.map(({ no }) => no))}::int[], ${pgArray(withChecks.map(({ at }) => at))}::bigint[]) AS k (no, at))`.execute(
    tx,
  );
  return rows;
}

/**
 * The incidents that overlap the time of these buckets, by id. Only a monitor's number has an index: asked for each bucket,
 * a flapping monitor's incidents would all be read for each.
 */
async function readIncidents(tx: Tx, buckets: readonly Read[]): Promise<Incident[]> {
  const times = new Map<number, { from: number; until: number }>();
  for (const { no, at } of buckets) {
    const { from, until } = times.get(no) ?? { from: at, until: at };
    times.set(no, { from: Math.min(from, at), until: Math.max(until, at + SPAN_SECONDS) });
  }
  const spans = [...times.values()];
  const { rows } = await sql<Incident>`
    SELECT t.no, i.id, extract(epoch FROM i.started_at)::float8 AS from,
      extract(epoch FROM coalesce(i.resolved_at, 'infinity'))::float8 AS until
    FROM unnest(${pgArray([...times.keys()])}::int[], ${pgArray(spans.map(({ from }) => from))}::bigint[],
      ${pgArray(spans.map(({ until }) => until))}::bigint[]) AS t (no, since, until)
    JOIN incidents i ON i.monitor_no = t.no AND i.started_at < to_timestamp(t.until)
      AND (i.resolved_at IS NULL OR i.resolved_at > to_timestamp(t.since))
    ORDER BY i.id`.execute(tx);
  return rows;
}

/** Each incident goes to the buckets that it overlaps, and to no others: a sweep over the times of each monitor. */
function withIncidents(buckets: readonly Read[], incidents: readonly Incident[]): Bucket[] {
  const byMonitor = new Map<number, Map<number, string[] | null>>();
  for (const { no, at } of buckets) {
    const found = byMonitor.get(no);
    if (found) found.set(at, []);
    else byMonitor.set(no, new Map([[at, []]]));
  }
  const timesOf = new Map([...byMonitor].map(([no, found]) => [no, [...found.keys()].sort((a, b) => a - b)]));
  for (const { no, id, from, until } of incidents) {
    const [times, found] = [timesOf.get(no) ?? [], byMonitor.get(no)];
    for (let i = firstAfter(times, from - SPAN_SECONDS); i < times.length; i++) {
      const at = times[i] ?? until;
      if (at >= until) break;
      const isWhole = from <= at && until >= at + SPAN_SECONDS;
      if (isWhole) found?.get(at)?.push(id);
      else found?.set(at, null);
    }
  }
  return buckets.map((bucket) => {
    const ids = byMonitor.get(bucket.no)?.get(bucket.at);
    return { ...bucket, incidentIds: ids && ids.length > 0 ? ids : null };
  });
}

/** The place of the first number above `limit`. */
function firstAfter(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
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
